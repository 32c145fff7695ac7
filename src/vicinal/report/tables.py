"""Studies to tables: ours beside what was published, and beside the controls."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from vicinal.experiments.statistics import Summary, summarize
from vicinal.report import labels
from vicinal.report.results import HEADLINE, Group, Index, Section, study

__all__ = ["Line", "Table", "markdown", "section_table", "tables"]


@dataclass(frozen=True)
class Line:
    """One configuration: its scores by kind, and what the paper printed."""

    model: str
    settings: tuple[str, ...]  # values of the settings that vary in the table
    metric: str
    n: int
    planned: int
    ours: Summary
    last: Summary
    best: Summary
    published: float | None

    @property
    def difference(self) -> float | None:
        """Ours less the published score."""
        return None if self.published is None else self.ours.mean - self.published


@dataclass(frozen=True)
class Table:
    """Lines that share their columns."""

    name: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def has_published(self) -> bool:
        """Whether the paper printed any of it."""
        return any(line.published is not None for line in self.lines)


def section_table(section: Section, published: dict[str, Any]) -> Table:
    """One line for each configuration of a section.

    Args:
        section: Configurations and their rows.
        published: What the experiment's file says the paper printed; its ``scores`` are
            tables of a ``value`` and the settings it belongs to.
    """
    columns = labels.varying([group.settings for group in section.groups])
    printed = published.get("scores", [])
    lines = tuple(_line(group, columns, printed) for group in section.groups)
    names = tuple(name.replace("_", " ") for name in columns)
    return Table(section.name, names, lines)


def tables(experiment: Any, rows: Iterable[Any]) -> list[Table]:
    """All tables of one experiment.

    Args:
        experiment: An :class:`~vicinal.experiments.config.Experiment`.
        rows: Rows of a store or of a folder of exported ones.
    """
    found = study(experiment, Index(rows))
    return [section_table(part, experiment.published) for part in found.sections]


def markdown(table: Table) -> str:
    """A table for a README; scores are means ± standard errors.

    Example:
        >>> ours = Summary(2, 0.75, 0.05, 0.1, 1.0)
        >>> line = Line("ReLU", (), "accuracy", 2, 2, ours, ours, ours, None)
        >>> print(markdown(Table("Cora", (), (line,))))
        | model | n | ours | 95 % | last epoch | best validation |
        |---|---|---|---|---|---|
        | ReLU | 2 | 75.0 ± 5.0 | [10.0, 100.0] | 75.0 | 75.0 |
    """
    head = ["model", *table.columns, "n", "ours", "95 %"]
    head += ["last epoch", "best validation"]
    head += ["published", "difference"] if table.has_published else []
    body = [_cells(line, table.has_published) for line in table.lines]
    first, *rest = (f"| {' | '.join(row)} |" for row in [head, *body])
    return "\n".join([first, "|" + "---|" * len(head), *rest])


def _line(group: Group, columns: list[str], printed: list[dict[str, Any]]) -> Line:
    kinds = {
        which: summarize(list(group.scores(which).values()))
        for which in (HEADLINE, "last", "best")
    }
    return Line(
        model=labels.model(group.settings),
        settings=tuple(labels.value(group.settings[name]) for name in columns),
        metric=group.metric,
        n=len(group.rows),
        planned=group.planned,
        ours=kinds[HEADLINE],
        last=kinds["last"],
        best=kinds["best"],
        published=_printed(group.settings, printed),
    )


def _printed(settings: dict[str, Any], printed: list[dict[str, Any]]) -> float | None:
    for entry in printed:
        wanted = {k: v for k, v in entry.items() if k not in ("value", "note")}
        if all(settings.get(name) == value for name, value in wanted.items()):
            return float(entry["value"])
    return None


def _cells(line: Line, with_published: bool) -> list[str]:
    write = partial(labels.number, metric=line.metric)
    error = "" if math.isnan(line.ours.se) else f" ± {write(line.ours.se)}"
    cells = [line.model, *line.settings, str(line.n), write(line.ours.mean) + error]
    cells += [labels.interval(line.ours, line.metric) or "–"]
    cells += [write(line.last.mean), write(line.best.mean)]
    if with_published and line.published is not None:
        difference = line.ours.mean - line.published
        cells += [write(line.published), labels.signed(difference, line.metric)]
    elif with_published:
        cells += ["–", "–"]
    return cells
