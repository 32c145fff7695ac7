"""Systems that complete the whole matrix of ratings at once.

Of a cell they read ``taps`` (orders of a filter), ``hidden`` (rank of factors) and
``epochs`` (iterations of sRMGCNN); the network of all ratings reads what networks do,
but neither ``schedule`` nor ``patience``.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import Module

from vicinal.baselines import ratings as baselines
from vicinal.baselines.svd import svd
from vicinal.datasets.ratings import STARS
from vicinal.datasets.similarity import COMMON, pearson
from vicinal.datasets.task import Task
from vicinal.experiments import models, rating_network
from vicinal.experiments.cell import Cell
from vicinal.rivals import rating_filters
from vicinal.rivals.srmgcnn_training import complete

__all__ = ["RATING_ESTIMATORS", "Answers"]

_SHARED = 2  # ratings that two nodes of a filter have in common, as published
_DIGITS = 5  # of numbers in curves


@dataclass(frozen=True)
class Answers:
    """Answers for all samples, how many numbers were fitted, and the time of one.

    A system that is trained in epochs adds their losses and its hop weights.
    """

    output: Tensor  # shape: (n, 1)
    parameters: dict[str, int]
    predict_seconds: float
    curves: dict[str, list[float]] = field(default_factory=dict)
    hop_weights: list[list[float]] = field(default_factory=list)


def _known(cell: Cell, task: Task) -> Tensor:  # shape: (users, movies)
    """Training ratings as a matrix."""
    if task.x.dim() != 2 or task.x.is_floating_point() or not task.parts:
        raise ValueError(
            f"`model` must not be {cell.model.model!r} for {cell.name!r}: it completes "
            "a matrix; use it for 'movie-ratings'"
        )
    users, movies = (int(most) + 1 for most in task.x.amax(0))
    matrix = task.target.new_zeros(users, movies)
    rows = task.x[task.train]
    matrix[rows[:, 0], rows[:, 1]] = task.target[task.train, 0]
    return matrix


def _correlations(matrix: Tensor, least: int) -> Tensor:
    return torch.from_numpy(pearson(matrix.double().numpy(), least)).to(matrix)


def _of_matrix(
    fit: Callable[[Cell, Tensor], Tensor],
    fitted: Callable[[Cell, int, int], int],
) -> Callable[[Cell, Task], Answers]:
    """A system whose answer is a matrix; to predict is to look an entry up.

    Args:
        fit: A cell and the known ratings to all ratings.
        fitted: A cell, users and movies to the number of numbers that were fitted.
    """

    def answers(cell: Cell, task: Task) -> Answers:
        known = _known(cell, task)
        return _looked_up(fit(cell, known), task, fitted(cell, *known.shape))

    return answers


def _looked_up(matrix: Tensor, task: Task, parameters: int) -> Answers:
    output = matrix[task.x[:, 0], task.x[:, 1]].clamp(*STARS)
    seconds = _seconds(lambda: matrix[0, 0])
    return Answers(output[:, None], {"total": parameters}, seconds)


def _seconds(predict: Callable[[], Tensor], repeats: int = 20) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        predict()
    return (time.perf_counter() - started) / repeats


def _user_filter(cell: Cell, task: Task) -> Answers:
    return _filtered(cell, task, by_user=True)


def _item_filter(cell: Cell, task: Task) -> Answers:
    return _filtered(cell, task, by_user=False)


Features = Callable[[Tensor], Tensor]  # of pairs, one row each


def _features(cell: Cell, known: Tensor, by_user: bool) -> Features:
    """What each order of a filter says, on users' or on movies' networks."""
    x, _ = rating_filters.centered(known)
    rated = known > 0
    if not by_user:
        x, rated, known = x.T, rated.T, known.T
    similarity = _correlations(known, _SHARED)
    cycles = not cell.model.model.endswith("-without-cycles")

    def features(pairs: Tensor) -> Tensor:
        asked = pairs if by_user else pairs.flip(1)
        return rating_filters.filter_features(
            x, rated, similarity, asked, cell.model.taps, cycles=cycles
        )

    return features


def _filtered(cell: Cell, task: Task, by_user: bool) -> Answers:
    known = _known(cell, task)
    return _fitted(known, task, _features(cell, known, by_user))


def _fitted(known: Tensor, task: Task, features: Features) -> Answers:
    _, means = rating_filters.centered(known)
    own, made = means[task.x[:, 0]], features(task.x)
    rest = task.target[:, 0] - own
    taps = rating_filters.fit_taps(made[task.train], rest[task.train])
    output = (own + made @ taps).clamp(*STARS)
    seconds = _seconds(lambda: own[0] + features(task.x[:1])[0] @ taps)
    return Answers(output[:, None], {"total": len(taps)}, seconds)


def _mirror_filter(cell: Cell, task: Task) -> Answers:
    known = _known(cell, task)
    x, _ = rating_filters.centered(known)
    alike = (
        _correlations(known, _SHARED),
        _correlations(known.T, _SHARED),
    )
    users, movies = (_features(cell, known, by_user) for by_user in (True, False))

    def features(pairs: Tensor) -> Tensor:
        cross = rating_filters.cross_features(x, known > 0, *alike, pairs)
        return torch.cat([users(pairs), movies(pairs), cross], dim=1)

    return _fitted(known, task, features)


def _srmgcnn(cell: Cell, task: Task) -> Answers:
    known = _known(cell, task)
    adjacency = task.graph.to_dense().to(known)
    split = len(known)
    users, movies = adjacency[:split, :split], adjacency[split:, split:]
    if not users.any() or not movies.any():
        raise ValueError(
            "`network` must be 'features' or 'similar' for sRMGCNN, got one without "
            "edges among users, or among movies"
        )
    pairs, stars = task.x[task.train], task.target[task.train, 0]
    done = complete(
        pairs,
        stars,
        torch.maximum(users, users.T),
        torch.maximum(movies, movies.T),
        cell.training.epochs,
        cell.seed,
    )
    return _looked_up(done.ratings, task, done.parameters)


def _network(cell: Cell, task: Task) -> Answers:
    """One network for all users and movies, on the network of similar users."""
    known = _known(cell, task)
    if not len(task.valid):
        raise ValueError(
            f"`validated` must be true for {cell.model.model!r}, got false: validation "
            "ratings choose its epoch"
        )
    pairs, stars = task.x[task.valid], task.target[task.valid, 0]
    torch.manual_seed(cell.seed)
    model = models.per_node(cell.model, rating_network.FEATURES, 1)
    ratings, history = rating_network.complete(
        model, known, pairs, stars, cell.training, cell.seed
    )
    losses = {"train_loss": history.train_loss, "valid_loss": history.valid_loss}
    return Answers(
        ratings[task.x[:, 0], task.x[:, 1]][:, None],
        models.parameter_counts(model),
        _column_seconds(model, known),
        {k: [float(f"{v:.{_DIGITS}g}") for v in losses[k]] for k in losses},
        models.hop_weights(model),
    )


def _column_seconds(model: Module, known: Tensor) -> float:
    """Seconds to answer for one movie, all users at once."""
    shown = rating_network.columns(known)
    with torch.no_grad():
        model(shown.x[:1], shown.graph)  # what a graph keeps is made once
        return _seconds(lambda: model(shown.x[:1], shown.graph))


def _nearest(cell: Cell, known: Tensor) -> Tensor:
    return baselines.neighbors(known, _correlations(known, COMMON))


def _factored(cell: Cell, users: int, movies: int) -> int:
    return _biased(cell, users, movies) + cell.model.hidden * (users + movies)


def _biased(cell: Cell, users: int, movies: int) -> int:
    return 1 + users + movies


RATING_ESTIMATORS: dict[str, Callable[[Cell, Task], Answers]] = {
    "global-mean": _of_matrix(
        lambda cell, known: baselines.node_means(known, None),
        lambda cell, users, movies: 1,
    ),
    "user-mean": _of_matrix(
        lambda cell, known: baselines.node_means(known, 1),
        lambda cell, users, movies: users,
    ),
    "item-mean": _of_matrix(
        lambda cell, known: baselines.node_means(known, 0),
        lambda cell, users, movies: movies,
    ),
    "rating-biases": _of_matrix(lambda cell, known: baselines.biases(known), _biased),
    "rating-neighbors": _of_matrix(_nearest, _biased),
    "rating-factors": _of_matrix(
        lambda cell, known: baselines.factors(known, cell.model.hidden),
        _factored,
    ),
    "rating-svd": _of_matrix(
        lambda cell, known: svd(known, cell.model.hidden, cell.seed), _factored
    ),
    "user-filter": _user_filter,
    "item-filter": _item_filter,
    "user-filter-without-cycles": _user_filter,
    "item-filter-without-cycles": _item_filter,
    "mirror-filter": _mirror_filter,
    "srmgcnn": _srmgcnn,
    "rating-gnn": _network,
}
