"""Studies to tables: ours beside what was published, and beside the controls."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from vicinal.experiments import config
from vicinal.experiments.config import Experiment
from vicinal.experiments.only import agrees
from vicinal.experiments.row import Row
from vicinal.experiments.statistics import Summary, summarize
from vicinal.metrics import higher_is_better
from vicinal.report import labels
from vicinal.report.results import EXPECTED, HEADLINE, Group, Index, Section, study

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
    deviation: float = math.nan  # standard deviation over seeds
    best_run: float = math.nan  # at the last epoch, of all seeds
    published_run: float | None = None  # best single run that the paper prints
    expected: float = math.nan  # of the softmax expectation, where ratings are classes

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

    @property
    def has_runs(self) -> bool:
        """Whether deviations and best single runs stand beside the means."""
        return any(line.metric == "error" for line in self.lines)

    @property
    def has_expected(self) -> bool:
        """Whether any network answers with classes whose expectation is a rating."""
        return any(not math.isnan(line.expected) for line in self.lines)


def section_table(
    section: Section,
    printed: dict[str, float],
    printed_runs: dict[str, float] | None = None,
) -> Table:
    """One line for each configuration of a section.

    Args:
        section: Configurations and their rows.
        printed: What the paper printed, by configuration.
        printed_runs: Best single runs that the paper printed.
    """
    runs = printed_runs or {}
    settings = [group.settings for group in section.groups]
    columns = labels.varying(settings)
    shown = labels.cells(settings, columns)
    lines = tuple(
        _with_runs(_line(group, texts, printed), group, runs)
        for group, texts in zip(section.groups, shown, strict=True)
    )
    names = tuple(name.replace("_", " ") for name in columns)
    return Table(section.name, names, lines)


def tables(
    experiment: Experiment,
    rows: Iterable[Row],
    only: Mapping[str, Any] = MappingProxyType({}),
) -> list[Table]:
    """All tables of one experiment; what is only drawn has none.

    Args:
        experiment: The experiment, from :func:`vicinal.experiments.config.find`.
        rows: Rows of a store or of a folder of exported ones.
        only: Settings that configurations must have to be shown.
    """
    found = study(experiment, Index(rows))
    printed = config.printed(experiment, found.quick)
    runs = config.printed(experiment, found.quick, "best_runs")
    scored = (section for section in found.sections if not section.only_drawn)
    chosen = (_chosen(section, only) for section in scored)
    return [section_table(part, printed, runs) for part in chosen if part.groups]


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
    head += ["expected"] if table.has_expected else []
    head += ["deviation", "best run"] if table.has_runs else []
    head += ["published", "difference"] if table.has_published else []
    body = [_cells(line, table) for line in table.lines]
    first, *rest = (f"| {' | '.join(row)} |" for row in [head, *body])
    return "\n".join([first, "|" + "---|" * len(head), *rest])


def _chosen(section: Section, only: Mapping[str, Any]) -> Section:
    groups = (group for group in section.groups if agrees(group.settings, only))
    return replace(section, groups=tuple(groups))


def _line(group: Group, settings: tuple[str, ...], printed: dict[str, float]) -> Line:
    kinds = {
        which: summarize(list(group.scores(which).values()))
        for which in (HEADLINE, "last", "best")
    }
    return Line(
        model=labels.model(group.settings),
        settings=settings,
        metric=group.metric,
        n=len(group.rows),
        planned=group.planned,
        ours=kinds[HEADLINE],
        last=kinds["last"],
        best=kinds["best"],
        published=printed.get(group.config_hash),
        expected=_expected(group),
    )


def _expected(group: Group) -> float:
    """The headline RMSE of the softmax expectation; NaN of what was not trained."""
    first = group.rows[0]
    if EXPECTED not in first.scores or not first.result["curves"]:
        return math.nan
    return summarize(list(group.scores(metric=EXPECTED).values())).mean


def _with_runs(line: Line, group: Group, printed: dict[str, float]) -> Line:
    """Deviation and best single run, beside the paper's."""
    runs = list(group.scores("last").values())
    best = max if higher_is_better(group.metric) else min
    return replace(
        line,
        deviation=line.ours.deviation,
        best_run=best(runs, default=math.nan),
        published_run=printed.get(group.config_hash),
    )


def _cells(line: Line, table: Table) -> list[str]:
    write = partial(labels.number, metric=line.metric)
    error = "" if math.isnan(line.ours.se) else f" ± {write(line.ours.se)}"
    cells = [line.model, *line.settings, str(line.n), write(line.ours.mean) + error]
    cells += [labels.interval(line.ours, line.metric) or "–"]
    cells += [write(line.last.mean), write(line.best.mean)]
    cells += [write(line.expected)] if table.has_expected else []
    if table.has_runs:
        printed = line.published_run
        beside = "" if printed is None else f" (paper {write(printed)})"
        cells += [write(line.deviation), write(line.best_run) + beside]
    if table.has_published and line.published is not None:
        difference = line.ours.mean - line.published
        cells += [write(line.published), labels.signed(difference, line.metric)]
    elif table.has_published:
        cells += ["–", "–"]
    return cells
