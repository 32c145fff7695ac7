"""Claims about movie ratings: their differences are computed, not written as data.

Each function returns named lists of values, one per split or per target, that a claim
says to be above a margin, or counts of targets; or nothing while a planned row is
missing.
"""

from collections.abc import Sequence
from statistics import fmean

from vicinal.experiments.row import Row
from vicinal.report.claim_parts import Computed, Count, Found, Values
from vicinal.report.labels import MINUS
from vicinal.report.rating_costs import cheaper
from vicinal.report.rating_results import (
    FEW,
    LOCAL,
    SIDES,
    RatingResults,
    best_split,
    complete,
)
from vicinal.report.rating_tables import filter_names
from vicinal.report.results import Index

__all__ = ["COMPUTED", "counted"]

_FIRST = (5, 10, 15, 20)
_MORE = 2  # coefficients than ReLU
_RIVALS = {"filters": "Huang et al.", "srmgcnn": "Monti et al."}


def _means(side: str) -> Computed:
    """ReLU less each local activation, on the means over the first targets."""

    def values(index: Index) -> Found:
        found = complete(index, side)
        if found is None:
            return None
        return [
            Values(
                f"ReLU {MINUS} 1-hop {local}, mean of {first} {side}",
                _ahead(found, local, found.targets[:first]),
            )
            for first in _FIRST
            for local in LOCAL
        ]

    return values


def _ahead(found: RatingResults, local: str, targets: list[int]) -> list[float]:
    relu, other = (found.by_split(name, targets) for name in ("relu", local))
    return [relu[split] - other[split] for split in relu]


def _each(side: str) -> Computed:
    """ReLU less the local activation of the lower mean, target by target."""

    def values(index: Index) -> Found:
        found = complete(index, side)
        if found is None:
            return None
        chosen = []
        for target in found.targets:
            ahead = {local: _ahead(found, local, [target]) for local in LOCAL}
            local = max(LOCAL, key=lambda name: fmean(ahead[name]))
            name = f"ReLU {MINUS} 1-hop {local}, {side[:-1]} {target}"
            chosen.append(Values(name, ahead[local]))
        return chosen

    return values


def counted(
    name: str, local: Sequence[float], rival: Sequence[float], claimed: int
) -> Count:
    """On how many targets a local activation has the lower RMSE; a tie is neither.

    Example:
        >>> counted("5 users", [0.9, 0.8, 1.1], [1.0, 0.8, 1.0], claimed=2).ahead
        1
    """
    pairs = list(zip(local, rival, strict=True))
    ahead, behind = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    return Count(name, ahead, behind, len(pairs), claimed)


def _against(rival: str, claimed: dict[str, int]) -> Computed:
    """On how many targets the better local activation is ahead on the best split."""

    def values(index: Index) -> Found:
        parts = []
        for side, least in claimed.items():
            found = complete(index, side)
            if found is None:
                return None
            names = filter_names(found) if rival == "filters" else [rival]
            first = found.targets[:FEW]
            ours, theirs = (
                [_on_best(found, systems, target) for target in first]
                for systems in (LOCAL, names)
            )
            name = f"better local ahead of {_RIVALS[rival]}, {side}"
            parts.append(counted(name, ours, theirs, least))
        return parts

    return values


def _on_best(found: RatingResults, names: Sequence[str], target: int) -> float:
    """The lowest RMSE of some systems on the target's best split."""
    split = best_split(found, target)
    assert split is not None
    return min(found.scores[name][target][split] for name in names)


def _two_more(index: Index) -> Found:
    parts = []
    for side in SIDES:
        found = complete(index, side)
        if found is None:
            return None
        base = min(map(_convolution, found.rows_of("relu")))
        for local in LOCAL:
            more = [_convolution(row) - base for row in found.rows_of(local)]
            few = sum(one <= _MORE for one in more)
            name = f"runs of 1-hop {local} with at most {_MORE} more, {side}"
            parts.append(Count(name, few, len(more) - few, len(more), len(more)))
    return parts


def _convolution(row: Row) -> float:
    return float(row.result["parameters"]["convolution"])


COMPUTED: dict[str, Computed] = {
    "means of users": _means("users"),
    "each user": _each("users"),
    "means of movies": _means("movies"),
    "each movie": _each("movies"),
    "filters on the best split": _against("filters", {"users": 5, "movies": 5}),
    "sRMGCNN on the best split": _against("srmgcnn", {"users": 4, "movies": 3}),
    "two more parameters": _two_more,
    "less data and computation": cheaper,
}
