"""Rows of the movie experiments by target, split and system."""

from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from vicinal.experiments import config
from vicinal.experiments.config import Experiment
from vicinal.experiments.store import Row
from vicinal.report.results import HEADLINE, Index

__all__ = ["LOCAL", "RatingResults", "best_split", "collect", "is_about_ratings"]

LOCAL = ("max", "median")
_TASKS = ("movies-users", "movies-items")
_MATRIX = "movie-ratings"
_FILTERS = ("user-filter", "item-filter")

Scores = dict[int, dict[int, float]]  # by target, by split


@dataclass
class RatingResults:
    """Test RMSE by system, target and split; the rows behind it, by system."""

    targets: list[int]
    complete: bool = True  # whether no planned row is missing
    scores: dict[str, Scores] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)

    def mean(self, system: str, targets: list[int]) -> float | None:
        """Mean over targets of the means over splits; none if a target is missing."""
        found = self.scores.get(system, {})
        if not targets or not all(found.get(target) for target in targets):
            return None
        return fmean(fmean(found[target].values()) for target in targets)

    def by_split(self, system: str, targets: list[int]) -> dict[int, float]:
        """Mean over targets, split by split."""
        found = [self.scores[system][target] for target in targets]
        splits = set.intersection(*(set(one) for one in found))
        return {s: fmean(one[s] for one in found) for s in sorted(splits)}


def is_about_ratings(experiment: Experiment) -> bool:
    """Whether an experiment's targets are users or movies of the paper's tables."""
    return experiment.name in _TASKS


def collect(experiment: Experiment, index: Index, quick: bool = False) -> RatingResults:
    """Sort the rows of a movie experiment.

    A system is an activation (``"relu"``) or the name of a model; filters have one
    entry for each number of taps (``"user-filter 3"``).

    Args:
        experiment: ``movies-users`` or ``movies-items``.
        index: All rows.
        quick: Whether its quick form was run.
    """
    cells = [c for block in config.blocks(experiment, quick) for c in block.cells]
    own = (c.settings["target"] for c in cells if c.name != _MATRIX)
    found = RatingResults(list(dict.fromkeys(own)))
    for cell in cells:
        row = index.rows(cell.config_hash).get(cell.seed)
        if row is None:
            found.complete = False
            continue
        settings = cell.settings
        if cell.name == _MATRIX:
            scores = {int(k): v for k, v in row.result.get("parts", {}).items()}
        else:
            first = next(iter(row.result["scores"].values()))
            scores = {settings["target"]: first[HEADLINE]}
        found.complete = found.complete and bool(scores)
        name = _system(settings)
        found.rows.setdefault(name, []).append(row)
        for target, score in scores.items():
            by_target = found.scores.setdefault(name, {})
            by_target.setdefault(target, {})[cell.seed] = score
    return found


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
    model = str(settings["model"])
    if model == "gnn":
        return str(settings["activation"])
    return f"{model} {settings['taps']}" if model in _FILTERS else model
