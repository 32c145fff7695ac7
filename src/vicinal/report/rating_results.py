"""Rows of the movie experiments by target, split and system."""

import math
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from vicinal.experiments import config
from vicinal.experiments.config import Experiment
from vicinal.experiments.row import Row
from vicinal.report.results import EXPECTED, HEADLINE, Index

__all__ = ["FEW", "LOCAL", "SIDES", "RatingResults", "Scores", "best_split"]
__all__ += ["collect", "complete", "is_about_ratings", "ratings_read"]

LOCAL = ("max", "median")
FEW = 5  # targets that are compared with rivals
SIDES = {"users": "movies-users", "movies": "movies-items"}
_MATRIX = "movie-ratings"
_FILTERS = ("user-filter", "item-filter")  # how their names begin
_TAPS = 5  # of the paper's networks

Scores = dict[int, dict[int, float]]  # by target, by split


@dataclass
class RatingResults:
    """Test RMSE by system, target and split; the rows behind it, by system.

    Networks answer with the likeliest class; ``expected`` has the RMSE of their softmax
    expectation. Beside each row stands its target; none where it is about all.
    """

    targets: list[int]
    complete: bool = True  # whether no planned row is missing
    scores: dict[str, Scores] = field(default_factory=dict)
    expected: dict[str, Scores] = field(default_factory=dict)
    rows: dict[str, list[tuple[int | None, Row]]] = field(default_factory=dict)

    def by_split(
        self, system: str, targets: list[int], *, expected: bool = False
    ) -> dict[int, float]:
        """Mean over targets, on every split that all of them were run on."""
        scores = (self.expected if expected else self.scores).get(system, {})
        found = [scores.get(target, {}) for target in targets]
        splits = set.intersection(*map(set, found)) if found else set()
        return {s: fmean(one[s] for one in found) for s in sorted(splits)}

    def rows_of(self, system: str, targets: list[int] | None = None) -> list[Row]:
        """Rows about some targets, all if not given; the whole matrix is about all."""
        wanted = {None, *(self.targets if targets is None else targets)}
        return [row for target, row in self.rows.get(system, []) if target in wanted]


def is_about_ratings(experiment: Experiment) -> bool:
    """Whether an experiment's targets are users or movies of the paper's tables."""
    return experiment.name in SIDES.values()


def collect(experiment: Experiment, index: Index, quick: bool = False) -> RatingResults:
    """Sort the rows of a movie experiment.

    A system is an activation (``"relu"``), with its taps if they are not the usual
    number (``"relu, 6 taps"``), or the name of a model; filters have one entry for each
    number of taps (``"user-filter 3"``).

    Args:
        experiment: ``movies-users`` or ``movies-items``.
        index: All rows.
        quick: Whether its quick form was run.
    """
    cells = config.distinct(experiment, quick)
    own = (c.settings["target"] for c in cells if c.name != _MATRIX)
    found = RatingResults(list(dict.fromkeys(own)))
    for cell in cells:
        row = index.rows(cell.config_hash).get(cell.seed)
        if row is None:
            found.complete = False
            continue
        settings = cell.settings
        target = None if cell.name == _MATRIX else settings["target"]
        if target is None:
            scores = {int(k): v for k, v in row.result.get("parts", {}).items()}
        else:
            first = next(iter(row.scores.values()))
            scores = {target: first[HEADLINE]}
        found.complete = found.complete and bool(scores)
        name = _system(settings)
        found.rows.setdefault(name, []).append((target, row))
        _keep(found.scores, name, cell.seed, scores)
        expected = row.scores.get(EXPECTED)
        if expected and settings["model"] == "gnn":
            scores = {settings["target"]: expected[HEADLINE]}
            _keep(found.expected, name, cell.seed, scores)
    return found


def complete(index: Index, side: str) -> RatingResults | None:
    """What was run for ``"users"`` or ``"movies"``; none while a row is missing."""
    found = collect(config.find(SIDES[side]), index)
    return found if found.complete else None


def ratings_read(result: dict[str, Any]) -> float:
    """How many ratings a system saw, those of its graph and signals too.

    Example:
        >>> ratings_read({"data_facts": {"train": 664, "graph ratings": 90000}})
        90000.0
        >>> ratings_read({"data_facts": {"train": 90000}})
        90000.0
    """
    facts = result["data_facts"]
    return float(facts.get("graph ratings", facts.get("train", math.nan)))


def _keep(
    found: dict[str, Scores], name: str, split: int, scores: dict[int, float]
) -> None:
    for target, score in scores.items():
        found.setdefault(name, {}).setdefault(target, {})[split] = score


def best_split(found: RatingResults, target: int) -> int | None:
    """The split where the better local activation is ahead of ReLU by most.

    This is the paper's choice. It looks at test ratings, and favours local activations.
    """
    known = [found.scores.get(name, {}).get(target, {}) for name in ("relu", *LOCAL)]
    splits = set.intersection(*(set(one) for one in known))
    if not splits:
        return None
    relu, *local = known
    return max(sorted(splits), key=lambda s: relu[s] - min(one[s] for one in local))


def _system(settings: dict[str, Any]) -> str:
    model, taps = str(settings["model"]), settings["taps"]
    if model != "gnn":
        return f"{model} {taps}" if model.startswith(_FILTERS) else model
    name = str(settings["activation"])
    return name if taps == _TAPS else f"{name}, {taps} taps"
