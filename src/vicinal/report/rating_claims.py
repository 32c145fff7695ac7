"""Claims about movie ratings: their differences are computed, not written as data.

Each function returns named lists of values, one per split or per target, that a claim
says to be above a margin; or nothing while a planned row is missing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from vicinal.experiments import config
from vicinal.experiments.store import Row
from vicinal.report.rating_results import LOCAL, RatingResults, best_split, collect
from vicinal.report.rating_tables import filter_names
from vicinal.report.results import Index

__all__ = ["COMPUTED", "Values"]

_FIRST = (5, 10, 15, 20)
_ALIKE = -0.02  # stars that count as equally accurate
_SIDES = {"users": "movies-users", "movies": "movies-items"}


@dataclass(frozen=True)
class Values:
    """One named difference, value by value."""

    name: str
    values: list[float]
    margin: float = 0.0
    unit: str = "rmse"


def _found(index: Index, side: str) -> RatingResults | None:
    found = collect(config.find(_SIDES[side]), index)
    return found if found.complete else None


def _means(side: str) -> Callable[[Index], list[Values] | None]:
    """ReLU less each local activation, on the means over the first targets."""

    def values(index: Index) -> list[Values] | None:
        found = _found(index, side)
        if found is None:
            return None
        return [
            Values(
                f"ReLU \N{MINUS SIGN} 1-hop {local}, mean of {first} {side}",
                _ahead(found, local, found.targets[:first]),
            )
            for first in _FIRST
            for local in LOCAL
        ]

    return values


def _ahead(found: RatingResults, local: str, targets: list[int]) -> list[float]:
    relu, other = (found.by_split(name, targets) for name in ("relu", local))
    return [relu[split] - other[split] for split in relu]


def _each(side: str) -> Callable[[Index], list[Values] | None]:
    """ReLU less the local activation of the lower mean, target by target."""

    def values(index: Index) -> list[Values] | None:
        found = _found(index, side)
        if found is None:
            return None
        chosen = []
        for target in found.targets:
            ahead = {local: _ahead(found, local, [target]) for local in LOCAL}
            local = max(LOCAL, key=lambda name: fmean(ahead[name]))
            name = f"ReLU \N{MINUS SIGN} 1-hop {local}, {side[:-1]} {target}"
            chosen.append(Values(name, ahead[local]))
        return chosen

    return values


def _against(rival: str) -> Callable[[Index], list[Values] | None]:
    """A rival less the better local activation on each target's best split."""

    def values(index: Index) -> list[Values] | None:
        parts = []
        for side in _SIDES:
            found = _found(index, side)
            if found is None:
                return None
            names = filter_names(found) if rival == "filters" else [rival]
            ahead = [_on_best(found, names, target) for target in found.targets[:5]]
            parts.append(Values(f"rival \N{MINUS SIGN} better local, 5 {side}", ahead))
        return parts

    return values


def _on_best(found: RatingResults, names: list[str], target: int) -> float:
    split = best_split(found, target)
    assert split is not None
    theirs = min(found.scores[name][target][split] for name in names)
    return theirs - min(found.scores[name][target][split] for name in LOCAL)


def _two_more(index: Index) -> list[Values] | None:
    parts = []
    for side in _SIDES:
        found = _found(index, side)
        if found is None:
            return None
        (base,) = {_convolution(row) for row in found.rows["relu"]}
        for local in LOCAL:
            more = [3.0 - (_convolution(row) - base) for row in found.rows[local]]
            name = f"3 \N{MINUS SIGN} what 1-hop {local} has more than ReLU, {side}"
            parts.append(Values(name, more, unit="parameters"))
    return parts


def _convolution(row: Row) -> float:
    return float(row.result["parameters"]["convolution"])


def _cheaper(index: Index) -> list[Values] | None:
    parts = []
    for side in _SIDES:
        found = _found(index, side)
        if found is None:
            return None
        for rival in (filter_names(found)[-1], "srmgcnn"):
            parts += _cost(found, rival, side)
    return parts


def _cost(found: RatingResults, rival: str, side: str) -> list[Values]:
    """What a rival has more of than the 1-hop median, over splits and targets."""
    first = found.targets[:5]
    ours, theirs = (found.by_split(name, first) for name in ("median", rival))
    where = f"{rival} \N{MINUS SIGN} 1-hop median, {side}"
    error = [theirs[split] - ours[split] for split in ours]
    parts = [Values(f"RMSE: {where}", error, _ALIKE)]
    read: dict[str, Callable[[Row], float]] = {
        "ratings": lambda row: float(row.result["data_facts"]["train"]),
        "parameters": lambda row: float(row.result["parameters"]["total"]),
        "seconds to train": lambda row: float(row.result["seconds"]),
        "seconds per prediction": lambda row: float(row.result["predict_seconds"]),
    }
    for name, of in read.items():
        own = fmean(of(row) for row in found.rows["median"])
        more = [of(row) - own for row in found.rows[rival]]
        parts.append(Values(f"{name}: {where}", more, unit=name))
    return parts


COMPUTED: dict[str, Callable[[Index], list[Values] | None]] = {
    "means of users": _means("users"),
    "each user": _each("users"),
    "means of movies": _means("movies"),
    "each movie": _each("movies"),
    "filters on the best split": _against("filters"),
    "sRMGCNN on the best split": _against("srmgcnn"),
    "two more parameters": _two_more,
    "less data and computation": _cheaper,
}
