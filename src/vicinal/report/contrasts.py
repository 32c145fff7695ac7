"""Named differences between configurations, written as data in claims.toml.

A difference is the sum of its ``plus`` cells less the sum of its ``minus`` cells, seed
by seed. A cell is what it sets over ``[run]`` of the experiment. ``each`` writes many
differences as one: a product of lists, whose members stand where ``$name`` or
``$name.0`` is written; a member that is itself a table brings several settings.
``within`` turns a difference into how much nearer than that its sides are; ``alike``
says that a difference lies within its margin on both sides of zero. ``read``
says what is taken of a cell: epochs of a curve, a fact of its data, or a number that
the paper printed in its place.
"""

import itertools
import math
import statistics
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from vicinal.experiments.cell import make_cell
from vicinal.experiments.config import Experiment
from vicinal.experiments.row import Row
from vicinal.report.contrast_names import contrast_name
from vicinal.report.labels import MINUS
from vicinal.report.results import HEADLINE, Index

__all__ = ["Contrast", "Difference", "Planned", "expand", "values"]


class Difference(BaseModel):
    """Differences as written: ``plus`` less ``minus``, said to exceed ``margin``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    plus: list[dict[str, Any]] = Field(min_length=1)
    minus: list[dict[str, Any]] = Field(min_length=1)
    experiment: str = ""  # whose cells they are, if not those of the claim's
    each: dict[str, list[Any]] = {}
    margin: float = 0.0
    scale: float = 1.0
    spread: bool = False  # compare distances from the median, not scores
    within: float | None = None  # how near to each other both sides are said to be
    alike: bool = False  # whether the interval must lie in -margin, ..., margin
    unit: str = "accuracy"  # how numbers are written


@dataclass(frozen=True)
class Contrast:
    """One difference: cells with their sign, ready to be looked up."""

    plus: tuple[dict[str, Any], ...]
    minus: tuple[dict[str, Any], ...]
    rule: Difference

    @property
    def name(self) -> str:
        """The two sides in words."""
        name = contrast_name(self.plus, self.minus, self.rule.scale)
        within = self.rule.within
        return name if within is None else f"{within:g} {MINUS} |{name}|"


@dataclass(frozen=True)
class Planned:
    """An experiment's common settings and the seeds it runs, by configuration."""

    experiment: Experiment
    seeds: dict[str, set[int]]

    def config_hash(self, cell: dict[str, Any]) -> str:
        """The configuration that a cell of a claim means."""
        flat = self.experiment.run | {k: v for k, v in cell.items() if k != "read"}
        return make_cell(flat, 0, "claims.toml").config_hash


def expand(rule: Difference) -> list[Contrast]:
    """All differences that one entry stands for.

    Example:
        >>> rule = Difference(
        ...     each={"k": [1, 2]}, plus=[{"hops": "$k"}], minus=[{"hops": 0}]
        ... )
        >>> [contrast.plus for contrast in expand(rule)]
        [({'hops': 1},), ({'hops': 2},)]
    """
    names = list(rule.each)
    contrasts = []
    for point in itertools.product(*rule.each.values()):
        known = dict(zip(names, point, strict=True))
        plus, minus = (
            tuple(_filled(cell, known) for cell in side)
            for side in (rule.plus, rule.minus)
        )
        contrasts.append(Contrast(plus, minus, rule))
    return contrasts


def values(contrast: Contrast, planned: Planned, index: Index) -> list[float] | None:
    """The difference on every planned seed; none while any of its rows is missing."""
    sides = []
    for sign, cells in ((1.0, contrast.plus), (-1.0, contrast.minus)):
        for cell in cells:
            key = planned.config_hash(cell)
            seeds, rows = planned.seeds.get(key, set()), index.rows(key)
            if not seeds or not seeds <= rows.keys():
                return None
            own = {seed: _read(rows[seed], cell.get("read")) for seed in seeds}
            own = _distances(own) if contrast.rule.spread else own
            sides.append({seed: sign * value for seed, value in own.items()})
    common = sorted(set.intersection(*(set(side) for side in sides)))
    rule = contrast.rule
    found = [rule.scale * sum(side[seed] for side in sides) for seed in common]
    return found if rule.within is None else [rule.within - abs(d) for d in found]


def _filled(cell: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    filled: dict[str, Any] = {}
    for name, given in cell.items():
        value = _member(given, known) if _is_variable(given) else given
        filled |= value if isinstance(value, dict) and name != "read" else {name: value}
    return filled


def _is_variable(given: Any) -> bool:
    return isinstance(given, str) and given.startswith("$")


def _member(given: str, known: dict[str, Any]) -> Any:
    name, *place = given[1:].split(".")
    return known[name][int(place[0])] if place else known[name]


def _read(row: Row, read: dict[str, Any] | None) -> float:
    """The headline score of a row, or what ``read`` asks for in its place."""
    if read is None:
        scores = next(iter(row.scores.values()))
        return float(scores[HEADLINE])
    if "value" in read:
        return float(read["value"])
    if "fact" in read:
        return float(row.result["data_facts"].get(read["fact"], math.nan))
    first, last = read["epochs"]
    curve = row.result["curves"][read["curve"]]
    return statistics.fmean(curve[first - 1 : last]) if len(curve) >= last else math.nan


def _distances(found: dict[int, float]) -> dict[int, float]:
    middle = statistics.median(found.values())
    return {seed: abs(value - middle) for seed, value in found.items()}
