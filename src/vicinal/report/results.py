"""Rows sorted into the studies that planned them."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from vicinal.experiments.cell import RESULTS_VERSION, Cell, make_cell
from vicinal.experiments.config import Experiment, blocks
from vicinal.experiments.grid import Block, Shows
from vicinal.experiments.row import Row
from vicinal.report import labels

__all__ = ["EXPECTED", "HEADLINE", "Group", "Index", "Section", "Study"]
__all__ += ["plan", "sections", "studies", "study"]

HEADLINE = "last_mean"  # the score compared: the mean over the last five epochs
EXPECTED = "rmse_expected"  # of the softmax expectation, where ratings are classes


@dataclass(frozen=True)
class Group:
    """The finished seeds of one configuration, and how many are planned."""

    settings: dict[str, Any]  # all, defaults too
    rows: tuple[Row, ...]
    planned: int

    @property
    def config_hash(self) -> str:
        """What tells it from other configurations."""
        return self.rows[0].config_hash

    @cached_property
    def metric(self) -> str:
        """The metric that is compared, the first of its task."""
        return str(next(iter(self.rows[0].scores)))

    def scores(self, which: str = HEADLINE, metric: str = "") -> dict[int, float]:
        """Test scores by seed; a row without this kind of score is left out."""
        name = metric or self.metric
        found = ((row.seed, row.scores.get(name, {})) for row in self.rows)
        return {seed: scores[which] for seed, scores in found if which in scores}


@dataclass(frozen=True)
class Section:
    """What one table shows: blocks whose names agree up to a colon."""

    name: str
    groups: tuple[Group, ...]
    shows: Shows = "scores"

    @property
    def only_drawn(self) -> bool:
        """Whether curves are shown and no scores, as of one run that may not work."""
        return self.shows == "losses only"

    @property
    def rows(self) -> list[Row]:
        """All rows of the table."""
        return [row for group in self.groups for row in group.rows]


@dataclass(frozen=True)
class Study:
    """One experiment: the form that was run, and what came out."""

    experiment: Experiment
    quick: bool
    sections: tuple[Section, ...]
    found: int
    planned: int

    @property
    def rows(self) -> list[Row]:
        """All rows, each once."""
        rows = (row for section in self.sections for row in section.rows)
        return list({row.key: row for row in rows}.values())


class Index:
    """Rows by configuration and seed.

    Rows of another results version are left out. Where the same settings of a task were
    run on several versions of its files, the rows of the most frequent one are kept.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        current = [row for row in rows if row.version == RESULTS_VERSION]
        counts = Counter((_asked(row), row.data) for row in current)
        files = {asked: data for (asked, data), _ in reversed(counts.most_common())}
        self._rows: dict[str, dict[int, Row]] = {}
        for row in current:
            if files[_asked(row)] == row.data:
                self._rows.setdefault(row.config_hash, {})[row.seed] = row

    def rows(self, config_hash: str) -> dict[int, Row]:
        """The rows of a configuration by seed."""
        return self._rows.get(config_hash, {})

    def group(self, settings: dict[str, Any]) -> Group | None:
        """What was run of a configuration, if anything."""
        cell = make_cell(settings, 0, "report")
        rows = self.rows(cell.config_hash)
        ordered = tuple(rows[seed] for seed in sorted(rows))
        return Group(cell.settings, ordered, len(rows)) if rows else None


def _asked(row: Row) -> str:
    """Which data a row asked for: the settings of its task."""
    of_task = {n: value for n, value in row.settings.items() if labels.of_task(n)}
    return json.dumps(of_task, sort_keys=True)


def plan(parts: Iterable[Block]) -> dict[str, set[int]]:
    """The seeds that an experiment's blocks run, by configuration."""
    seeds: dict[str, set[int]] = {}
    for block in parts:
        for cell in block.cells:
            seeds.setdefault(cell.config_hash, set()).add(cell.seed)
    return seeds


def study(experiment: Experiment, index: Index) -> Study:
    """An experiment in the form that was run.

    The full form has cells of the quick one as well: it counts as run if it has rows
    beyond those, or if it is as complete.
    """
    full, quick = (_study(experiment, index, form) for form in (False, True))
    beyond = full.found > quick.found
    return full if beyond or _share(full) >= _share(quick) else quick


def studies(experiments: Iterable[Experiment], index: Index) -> list[Study]:
    """Several experiments; a part that a more complete one explains was not run.

    Studies share cells: the rows of one are not shown as a small part of another.
    """
    found = [study(experiment, index) for experiment in experiments]
    keys = [{row.key for row in one.rows} for one in found]
    shared = [
        any(
            own <= others and _share(one) < _share(other)
            for other, others in zip(found, keys, strict=True)
        )
        for one, own in zip(found, keys, strict=True)
    ]
    return [
        replace(one, sections=(), found=0) if borrowed else one
        for one, borrowed in zip(found, shared, strict=True)
    ]


def _share(found: Study) -> float:
    return found.found / found.planned if found.planned else 0.0


def _study(experiment: Experiment, index: Index, quick: bool) -> Study:
    expanded = blocks(experiment, quick)
    planned = plan(expanded)
    found = sum(len(seeds & index.rows(key).keys()) for key, seeds in planned.items())
    parts = sections(expanded, index)
    return Study(experiment, quick, parts, found, sum(map(len, planned.values())))


def sections(parts: Iterable[Block], index: Index) -> tuple[Section, ...]:
    """What was run of some blocks, those of one table together."""
    named: dict[str, list[Block]] = {}
    for block in parts:
        named.setdefault(block.section, []).append(block)
    found = (
        Section(
            name,
            _groups([cell for block in alike for cell in block.cells], index),
            alike[0].shows,
        )
        for name, alike in named.items()
    )
    return tuple(section for section in found if section.groups)


def _groups(cells: list[Cell], index: Index) -> tuple[Group, ...]:
    """Finished configurations; those of the same data stand together."""
    order = {task: place for place, task in enumerate(dict.fromkeys(map(_task, cells)))}
    alike: dict[str, dict[int, Cell]] = {}
    for cell in sorted(cells, key=lambda cell: order[_task(cell)]):
        alike.setdefault(cell.config_hash, {})[cell.seed] = cell
    groups = []
    for config_hash, seeds in alike.items():
        rows = index.rows(config_hash)
        if done := tuple(rows[seed] for seed in sorted(seeds) if seed in rows):
            settings = next(iter(seeds.values())).settings
            groups.append(Group(settings, done, len(seeds)))
    return tuple(groups)


def _task(cell: Cell) -> str:
    return cell.task.model_dump_json()
