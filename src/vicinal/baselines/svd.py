"""Ratings by the SVD of a library that many use: scikit-surprise."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

__all__ = ["svd"]


def svd(ratings: Tensor, rank: int, seed: int) -> Tensor:  # shape: (U, M)
    r"""Biases and factors by stochastic gradient descent, the library's defaults.

    .. math:: \hat Y_{ui} = \mu + b_u + b_i + p_u^T q_i

    A user or a movie without ratings has neither bias nor factors.

    Args:
        ratings: Known ratings, users by movies, zero where unrated.
        rank: Number of factors.
        seed: Of their first values.

    Example:
        >>> ratings = torch.tensor([[5.0, 1.0, 0.0], [5.0, 1.0, 0.0]])
        >>> found = svd(ratings, rank=2, seed=0)
        >>> found.shape, bool(found[0, 0] > found[0, 2] > found[0, 1])
        (torch.Size([2, 3]), True)
    """
    try:
        from surprise import SVD, Trainset
    except ImportError:
        raise ImportError(
            "`svd` must have scikit-surprise, got none; "
            "install it with `pip install vicinal[experiments]`"
        ) from None
    known = ratings.double().numpy()
    users, movies = (_lists(matrix) for matrix in (known, known.T))
    names = [{place: place for place in range(size)} for size in known.shape]
    given = Trainset(users, movies, *known.shape, (known > 0).sum(), (1, 5), *names)
    model = SVD(n_factors=rank, random_state=seed).fit(given)
    rated = known > 0
    factors = (model.pu * rated.any(1, keepdims=True)) @ (
        model.qi.T * rated.any(0, keepdims=True)
    )
    answer = given.global_mean + model.bu[:, None] + model.bi[None] + factors
    return torch.from_numpy(answer).to(ratings)


def _lists(matrix: NDArray[np.float64]) -> dict[int, list[tuple[int, float]]]:
    """Each row that has ratings: their columns and values."""
    return {
        row: [(int(column), float(values[column])) for column in values.nonzero()[0]]
        for row, values in enumerate(matrix)
        if values.any()
    }
