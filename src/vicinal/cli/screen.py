"""Tables on the screen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.experiments.config import Experiment
    from vicinal.experiments.store import Store
    from vicinal.report.tables import Table

__all__ = ["scored", "scores", "table"]


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None
) -> None:
    """Print a table; a pipe gets it in full width."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text  # as it stands: brackets are no markup

    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    above = None if title is None else Text(title)
    drawn = Table(box=SIMPLE_HEAD, title=above, title_justify="left", pad_edge=False)
    for number, name in enumerate(header):
        numeric = bool(rows) and all(_is_number(row[number]) for row in rows)
        drawn.add_column(Text(name), justify="right" if numeric else "left")
    for row in rows:
        drawn.add_row(*map(Text, row))
    console.print(drawn)


def scores(
    experiment: "Experiment",
    quick: bool,
    store: "Store",
    changes: dict[str, Any] | None = None,
) -> None:
    """Print mean and standard error of every configuration, table by table."""
    from vicinal.experiments import config
    from vicinal.report.results import Index, sections
    from vicinal.report.tables import section_table

    blocks = config.blocks(experiment, quick, changes)
    for part in sections(blocks, Index(store.rows())):
        if not part.only_drawn:
            header, rows = scored(section_table(part, {}))
            table(header, rows, title=part.name)


def scored(found: "Table") -> tuple[list[str], list[list[str]]]:
    """Head and lines of a table: model, what varies, seeds, score, standard error."""
    from vicinal.report import labels

    metrics = [_measured(line.metric) for line in found.lines]
    several = len(set(metrics)) > 1
    rows = [
        [line.model, *line.settings, str(line.n)]
        + ([metric] if several else [])
        + [labels.number(x, line.metric) for x in (line.ours.mean, line.ours.se)]
        for metric, line in zip(metrics, found.lines, strict=True)
    ]
    score = ["metric", "score"] if several else metrics[:1]
    return ["model", *found.columns, "n", *score, "± se"], rows


def _measured(metric: str) -> str:
    from vicinal.report import labels

    return labels.metric(metric) + (", %" if labels.percent(metric) else "")


def _is_number(text: str) -> bool:
    plain = text.replace(".", "", 1).replace(":", "").replace(",", "").lstrip("-\u2212")
    return plain.isdigit() or text == "–"
