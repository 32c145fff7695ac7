r"""Ratings without networks: means, biases, nearest neighbours, factors.

Matrices are users by movies, zero where unrated; every answer is a whole matrix.
"""

import torch
from torch import Tensor

__all__ = ["biases", "factors", "neighbors", "node_means"]

_SHRINK_MOVIES, _SHRINK_USERS, _ROUNDS = 10.0, 15.0, 10


def node_means(ratings: Tensor, dim: int | None) -> Tensor:  # shape: (U, M)
    """The mean of all ratings, of the user's (``dim=1``), or of the movie's (``0``).

    A node without ratings gets the mean of all.

    Example:
        >>> node_means(torch.tensor([[1.0, 3.0], [0.0, 5.0]]), dim=1)
        tensor([[2., 2.],
                [5., 5.]])
    """
    everything = ratings.sum() / (ratings > 0).sum()
    if dim is None:
        return everything.expand_as(ratings)
    counts = (ratings > 0).sum(dim, keepdim=True)
    means = ratings.sum(dim, keepdim=True) / counts.clamp(min=1)
    return torch.where(counts > 0, means, everything).expand_as(ratings)


def biases(ratings: Tensor) -> Tensor:  # shape: (U, M)
    r"""A user's and a movie's bias: :math:`\mu + b_u + b_i`, shrunk towards zero.

    .. math:: b_i = \frac{\sum_u (Y_{ui} - \mu - b_u)}{10 + n_i}, \qquad
        b_u = \frac{\sum_i (Y_{ui} - \mu - b_i)}{15 + n_u}

    in turns, ten times.

    Example:
        >>> biases(torch.tensor([[3.0, 3.0], [3.0, 0.0]]))
        tensor([[3., 3.],
                [3., 3.]])
    """
    rated = (ratings > 0).to(ratings)
    mean = ratings.sum() / rated.sum()
    rest = rated * (ratings - mean)
    user, movie = ratings.new_zeros(len(ratings), 1), ratings.new_zeros(1, 1)
    for _ in range(_ROUNDS):
        movie = (rest - rated * user).sum(0) / (_SHRINK_MOVIES + rated.sum(0))
        movie = movie[None]
        user = (rest - rated * movie).sum(1) / (_SHRINK_USERS + rated.sum(1))
        user = user[:, None]
    return mean + user + movie


def neighbors(
    ratings: Tensor, similarity: Tensor, count: int = 40
) -> Tensor:  # shape: (U, M)
    r"""Biases, corrected by what the most similar users among the raters said beyond.

    .. math:: \hat Y_{ui} = b_{ui} + \frac{\sum_{v} r_{uv} (Y_{vi} - b_{vi})}
        {\sum_{v} r_{uv}}, \qquad v \text{ among the } k \text{ highest } r_{uv} > 0

    Args:
        ratings: Known ratings.
        similarity: Of users, ``(U, U)``.
        count: Number k of users.

    Example:
        >>> ratings = torch.tensor([[5.0, 0.0], [5.0, 1.0]])
        >>> alike = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        >>> neighbors(ratings, alike)[0, 1] < biases(ratings)[0, 1]
        tensor(True)
    """
    base, rated = biases(ratings), ratings > 0
    answer = base.clone()
    for movie in range(ratings.size(1)):
        raters = rated[:, movie].nonzero().squeeze(1)
        if not len(raters):
            continue
        alike = similarity[:, raters].clamp(min=0)
        weights, places = alike.topk(min(count, len(raters)), dim=1)
        beyond = (ratings[raters, movie] - base[raters, movie])[places]
        total = weights.sum(1).clamp(min=torch.finfo(ratings.dtype).tiny)
        answer[:, movie] += (weights * beyond).sum(1) / total
    return answer


def factors(
    ratings: Tensor, rank: int = 10, penalty: float = 0.1, rounds: int = 15
) -> Tensor:  # shape: (U, M)
    r"""Biases plus a product of factors, by alternating least squares.

    .. math:: \min_{P,Q} \sum_{(u,i)} (Y_{ui} - b_{ui} - p_u^T q_i)^2
        + \lambda \sum_u n_u \|p_u\|^2 + \lambda \sum_i n_i \|q_i\|^2

    Factors start from the truncated SVD of what the biases leave; nothing is drawn.

    Args:
        ratings: Known ratings.
        rank: Number of factors.
        penalty: Of large factors.
        rounds: Of alternation.

    Example:
        >>> ratings = torch.tensor([[5.0, 1.0], [1.0, 5.0]])
        >>> factors(ratings, rank=1, penalty=0.001).round()
        tensor([[5., 1.],
                [1., 5.]])
    """
    base, rated = biases(ratings), (ratings > 0).to(ratings)
    rest = rated * (ratings - base)
    _, s, v = torch.linalg.svd(rest, full_matrices=False)
    q = v[:rank].T * s[:rank].sqrt()
    p = rest.new_zeros(len(ratings), q.size(1))
    for _ in range(rounds):
        p = _solved(rest, rated, q, penalty)
        q = _solved(rest.T, rated.T, p, penalty)
    answer: Tensor = base + p @ q.T
    return answer


def _solved(rest: Tensor, rated: Tensor, other: Tensor, penalty: float) -> Tensor:
    """Least squares of every row at once; zero for a row without ratings."""
    rank = other.size(1)
    products = (other[:, :, None] * other[:, None, :]).flatten(1)
    grams = (rated @ products).view(-1, rank, rank)
    counts = rated.sum(1).clamp(min=1)
    eye = torch.eye(rank, dtype=rest.dtype)
    grams = grams + penalty * counts[:, None, None] * eye
    solution: Tensor = torch.linalg.solve(grams, rest @ other)
    return solution
