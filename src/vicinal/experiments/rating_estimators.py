"""Systems that complete the whole matrix of ratings at once.

Of a cell they read ``hidden`` (rank of factors) and ``epochs`` (iterations of sRMGCNN);
the network of all ratings reads what networks do, but neither ``schedule`` nor
``patience``.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import Module

from vicinal.baselines import ratings as baselines
from vicinal.baselines.svd import svd
from vicinal.datasets.ratings import STARS
from vicinal.datasets.similarity import COMMON
from vicinal.datasets.task import Task
from vicinal.experiments import models, rating_network
from vicinal.experiments.cell import Cell
from vicinal.experiments.filter_estimators import (
    item_filter,
    mirror_filter,
    user_filter,
)
from vicinal.experiments.rating_answers import (
    Answers,
    correlations,
    known_ratings,
    seconds_each,
)
from vicinal.experiments.row import rounded_curves
from vicinal.rivals.srmgcnn_training import complete

__all__ = ["RATING_ESTIMATORS"]


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
        known = known_ratings(cell, task)
        return _looked_up(fit(cell, known), task, fitted(cell, *known.shape))

    return answers


def _looked_up(matrix: Tensor, task: Task, parameters: int) -> Answers:
    output = matrix[task.x[:, 0], task.x[:, 1]].clamp(*STARS)
    seconds = seconds_each(lambda: matrix[0, 0])
    return Answers(output[:, None], {"total": parameters}, seconds)


def _srmgcnn(cell: Cell, task: Task) -> Answers:
    known = known_ratings(cell, task)
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
    known = known_ratings(cell, task)
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
        rounded_curves(losses),
        models.hop_weights(model),
    )


def _column_seconds(model: Module, known: Tensor) -> float:
    """Seconds to answer for one movie, all users at once."""
    shown = rating_network.columns(known)
    with torch.no_grad():
        model(shown.x[:1], shown.graph)  # what a graph keeps is made once
        return seconds_each(lambda: model(shown.x[:1], shown.graph))


def _nearest(cell: Cell, known: Tensor) -> Tensor:
    return baselines.neighbors(known, correlations(known, COMMON))


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
    "user-filter": user_filter,
    "item-filter": item_filter,
    "user-filter-without-cycles": user_filter,
    "item-filter-without-cycles": item_filter,
    "mirror-filter": mirror_filter,
    "srmgcnn": _srmgcnn,
    "rating-gnn": _network,
}
