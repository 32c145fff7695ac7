"""Linear graph filters of ratings, on users' networks, on movies', and on both.

Of a cell they read ``taps``, the orders of a filter.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from vicinal.datasets.ratings import STARS
from vicinal.datasets.task import Task
from vicinal.experiments.cell import Cell
from vicinal.experiments.rating_answers import (
    Answers,
    correlations,
    known_ratings,
    seconds_each,
)
from vicinal.rivals import rating_filters

__all__ = ["item_filter", "mirror_filter", "user_filter"]

Features = Callable[[Tensor], Tensor]  # of pairs, one row each

_SHARED = 2  # ratings that two nodes have in common, as published


def user_filter(cell: Cell, task: Task) -> Answers:
    """Filter a movie's ratings on the network of users."""
    return _filtered(cell, task, by_user=True)


def item_filter(cell: Cell, task: Task) -> Answers:
    """Filter a user's ratings on the network of movies."""
    return _filtered(cell, task, by_user=False)


def _features(cell: Cell, known: Tensor, alike: Tensor, by_user: bool) -> Features:
    """What each order of a filter says, on users' or on movies' networks."""
    x, _ = rating_filters.centered(known)
    rated = known > 0
    if not by_user:
        x, rated = x.T, rated.T
    cycles = not cell.model.model.endswith("-without-cycles")

    def features(pairs: Tensor) -> Tensor:
        asked = pairs if by_user else pairs.flip(1)
        return rating_filters.filter_features(
            x, rated, alike, asked, cell.model.taps, cycles=cycles
        )

    return features


def _filtered(cell: Cell, task: Task, by_user: bool) -> Answers:
    known = known_ratings(cell, task)
    alike = correlations(known if by_user else known.T, _SHARED)
    return _fitted(known, task, _features(cell, known, alike, by_user))


def _fitted(known: Tensor, task: Task, features: Features) -> Answers:
    _, means = rating_filters.centered(known)
    own, made = means[task.x[:, 0]], features(task.x)
    rest = task.target[:, 0] - own
    taps = rating_filters.fit_taps(made[task.train], rest[task.train])
    output = (own + made @ taps).clamp(*STARS)
    seconds = seconds_each(lambda: own[0] + features(task.x[:1])[0] @ taps)
    return Answers(output[:, None], {"total": len(taps)}, seconds)


def mirror_filter(cell: Cell, task: Task) -> Answers:
    """Filter on both networks at once, and through both."""
    known = known_ratings(cell, task)
    x, _ = rating_filters.centered(known)
    alike = (correlations(known, _SHARED), correlations(known.T, _SHARED))
    users = _features(cell, known, alike[0], by_user=True)
    movies = _features(cell, known, alike[1], by_user=False)

    def features(pairs: Tensor) -> Tensor:
        cross = rating_filters.cross_features(x, known > 0, *alike, pairs)
        return torch.cat([users(pairs), movies(pairs), cross], dim=1)

    return _fitted(known, task, features)
