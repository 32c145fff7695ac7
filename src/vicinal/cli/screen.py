"""Tables on the screen."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.experiments.cell import Cell
    from vicinal.experiments.config import Experiment
    from vicinal.experiments.grid import Block
    from vicinal.experiments.row import Row
    from vicinal.experiments.store import Store
    from vicinal.report.results import Index

__all__ = ["scores", "table"]


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
    """Print mean and standard error of every configuration, block by block."""
    from vicinal.experiments import config
    from vicinal.report.results import Index

    index = Index(store.rows())
    for block in config.blocks(experiment, quick, changes):
        header, rows = block_scores(block, index)
        if rows:
            table(header, rows, title=block.name)


def block_scores(block: "Block", index: "Index") -> tuple[list[str], list[list[str]]]:
    """One line per configuration of a block that has rows."""
    from vicinal.experiments.statistics import summarize
    from vicinal.report.results import HEADLINE

    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for cell in block.cells:
        row = index.rows(cell.config_hash).get(cell.seed)
        if row is not None:
            groups[_point(cell, block)].append(row)
    metrics = {point: next(iter(rows[0].scores)) for point, rows in groups.items()}
    several = len(set(metrics.values())) > 1
    lines = []
    for point, rows in groups.items():
        values = [row.scores[metrics[point]][HEADLINE] for row in rows]
        told = [metrics[point]] if several else []
        found = summarize(values)
        numbers = _told(found.mean), _told(found.se)
        lines.append([*point, str(found.n), *told, *numbers])
    score = ["metric", "score"] if several else list(metrics.values())[:1]
    return [*block.varies, "n", *score, "± se"], lines


def _point(cell: "Cell", block: "Block") -> tuple[str, ...]:
    settings = cell.settings
    return tuple(str(settings[name]) for name in block.varies)


def _told(number: float) -> str:
    return f"{number:.4f}" if math.isfinite(number) else "–"


def _is_number(text: str) -> bool:
    plain = text.replace(".", "", 1).replace(":", "").lstrip("-")
    return plain.isdigit() or text == "–"
