"""What the systems that complete a matrix of ratings have in common."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from vicinal.datasets.similarity import pearson
from vicinal.datasets.task import Task
from vicinal.experiments.cell import Cell

__all__ = ["Answers", "correlations", "known_ratings", "seconds_each"]


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


def known_ratings(cell: Cell, task: Task) -> Tensor:  # shape: (users, movies)
    """Training ratings as a matrix."""
    if task.x.dim() != 2 or task.x.is_floating_point() or not task.parts:
        raise ValueError(
            f"`task` must be 'movie-ratings' for {cell.model.model!r}, which completes "
            f"a matrix, got {cell.name!r}"
        )
    users, movies = (int(most) + 1 for most in task.x.amax(0))
    matrix = task.target.new_zeros(users, movies)
    rows = task.x[task.train]
    matrix[rows[:, 0], rows[:, 1]] = task.target[task.train, 0]
    return matrix


def correlations(matrix: Tensor, least: int) -> Tensor:
    """Pearson correlation of rows that have ``least`` ratings in common."""
    return torch.from_numpy(pearson(matrix.double().numpy(), least)).to(matrix)


def seconds_each(predict: Callable[[], Tensor], repeats: int = 20) -> float:
    """Mean time of a call."""
    started = time.perf_counter()
    for _ in range(repeats):
        predict()
    return (time.perf_counter() - started) / repeats
