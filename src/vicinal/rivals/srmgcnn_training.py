"""How sRMGCNN is trained: on all known ratings in every step, from half of them."""

from dataclasses import dataclass

import torch
from torch import Tensor

from vicinal.rivals.srmgcnn import (
    SRMGCNN,
    initial_factors,
    normalized_laplacian,
    rescaled,
    roughness,
)

__all__ = ["Completion", "complete"]

_GAMMA = 1e-10
_RATE = 1e-3
_LOOK_EVERY = 10  # iterations


@dataclass(frozen=True)
class Completion:
    """A completed matrix, and the training losses on the way."""

    ratings: Tensor  # shape: (U, M), between 1 and 5
    losses: list[float]  # of every tenth iteration
    parameters: int


def complete(
    pairs: Tensor,  # shape: (n, 2)
    stars: Tensor,  # shape: (n,)
    users: Tensor,  # shape: (U, U), adjacency
    movies: Tensor,  # shape: (M, M), adjacency
    iterations: int,
    seed: int,
) -> Completion:
    """Train on known ratings; the matrix of the smallest training loss is the answer.

    Args:
        pairs: User and movie of each known rating.
        stars: The ratings.
        users: Symmetric network of users.
        movies: Symmetric network of movies.
        iterations: Steps of Adam; published with up to 10,000.
        seed: Of initial parameters and of the half that the SVD sees.

    Example:
        >>> pairs = torch.cartesian_prod(torch.arange(12), torch.arange(11))
        >>> stars = (pairs.sum(1) % 5 + 1).float()
        >>> found = complete(pairs, stars, torch.eye(12), torch.eye(11), 11, seed=0)
        >>> found.ratings.min(), found.ratings.max(), len(found.losses)
        (tensor(1.), tensor(5.), 2)
    """
    torch.manual_seed(seed)
    half = torch.randperm(len(stars))[: len(stars) // 2]
    shown = stars.new_zeros(len(users), len(movies))
    shown[pairs[half, 0], pairs[half, 1]] = stars[half]
    start = initial_factors(shown)
    networks = tuple(normalized_laplacian(a) for a in (users, movies))
    operators = tuple(laplacian.to_sparse_csr() for laplacian in networks)
    model = SRMGCNN()
    optimizer = torch.optim.Adam(model.parameters(), lr=_RATE)
    best = rescaled(start[0] @ start[1].T)
    losses: list[float] = []
    for iteration in range(iterations):
        w, h = model(*start, *operators)
        error = (_known(w, h, pairs) - stars).square().mean()
        loss = error + _GAMMA / 2 * roughness(w, h, *operators)
        if iteration % _LOOK_EVERY == 0:
            if float(loss.detach()) < min(losses, default=torch.inf):
                best = rescaled((w @ h.T).detach())
            losses.append(float(loss.detach()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    count = sum(parameter.numel() for parameter in model.parameters())
    return Completion(best, losses, count)


def _known(w: Tensor, h: Tensor, pairs: Tensor) -> Tensor:  # shape: (n,)
    """Entries of the rescaled matrix, without a gradient of every entry."""
    with torch.no_grad():
        x = w @ h.T
        extremes = torch.stack([x.argmin(), x.argmax()])
    rows, columns = extremes // len(h), extremes % len(h)
    low, high = (w[rows] * h[columns]).sum(1)
    x_known = (w[pairs[:, 0]] * h[pairs[:, 1]]).sum(1)
    found: Tensor = 1 + 4 * (x_known - low) / (high - low)
    return found
