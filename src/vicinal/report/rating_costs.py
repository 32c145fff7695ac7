"""What rivals cost more than a local activation: the claim of less data and work.

A network is one target's, a rival's fit is the whole matrix; both are compared as they
are, and the claim's rule says so.
"""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from vicinal.report.claim_parts import Values
from vicinal.report.labels import MINUS
from vicinal.report.rating_results import (
    FEW,
    LOCAL,
    SIDES,
    RatingResults,
    complete,
    ratings_read,
)
from vicinal.report.rating_tables import filter_names
from vicinal.report.results import Index

__all__ = ["best", "cheaper"]

_ALIKE = -0.02  # stars that count as equally accurate
_COSTS: dict[str, Callable[[dict[str, Any]], float]] = {
    "ratings fitted to": lambda result: result["data_facts"]["train"],
    "ratings read": ratings_read,
    "parameters": lambda result: result["parameters"]["total"],
    "seconds to train": lambda result: result["seconds"],
    "seconds per prediction": lambda result: result["predict_seconds"],
}


def cheaper(index: Index) -> list[Values] | None:
    """RMSE and costs of rivals less those of a local activation, users and movies."""
    parts = []
    for side in SIDES:
        found = complete(index, side)
        if found is None:
            return None
        for rival in (best(found, filter_names(found)), "srmgcnn"):
            parts += _cost(found, rival, side)
    return parts


def best(found: RatingResults, systems: Sequence[str]) -> str:
    """The system of the lowest mean RMSE over the first five targets and all splits.

    It is chosen on test ratings, in favour of its kind.
    """
    few = found.targets[:FEW]
    return min(systems, key=lambda name: fmean(found.by_split(name, few).values()))


def _cost(found: RatingResults, rival: str, side: str) -> list[Values]:
    """What a rival has more of than the better local activation, split by split."""
    few, local = found.targets[:FEW], best(found, LOCAL)
    ours, theirs = (found.by_split(name, few) for name in (local, rival))
    where = f"{rival} {MINUS} 1-hop {local}, {side}"
    error = [theirs[split] - ours[split] for split in ours]
    parts = [Values(f"RMSE: {where}", error, _ALIKE)]
    for name, read in _COSTS.items():
        own, other = (_by_split(found, one, read) for one in (local, rival))
        more = [other[split] - own[split] for split in own]
        parts.append(Values(f"{name}: {where}", more, unit=name))
    return parts


def _by_split(
    found: RatingResults, system: str, read: Callable[[dict[str, Any]], float]
) -> dict[int, float]:
    """Mean over the rows of the first five targets, split by split."""
    values: dict[int, list[float]] = {}
    for row in found.rows_of(system, found.targets[:FEW]):
        values.setdefault(row.seed, []).append(float(read(row.result)))
    return {split: fmean(some) for split, some in sorted(values.items())}
