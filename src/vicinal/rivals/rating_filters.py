r"""Linear graph filters of ratings: Huang, Marques and Ribeiro (IEEE TSP 66(19), 2018).

Ratings are centred: :math:`X_{ui} = Y_{ui} - \bar Y_u`, with the mean of the user's
training ratings, and zero where unrated. B holds the Pearson correlations of users.

**User-based.** Of each movie i there is a network :math:`B_i`: columns of users who
rated i, in each row the k largest positive entries, divided by their sum. (Published
are the k largest, negative ones too where fewer than k are positive; a sum near zero
would then divide.) Then

.. math:: \hat x_{ui} = \sum_{l=1}^{L} h_l \, [B_i^l x^i]_u

One tap with :math:`h_1 = 1` is k-nearest-neighbour filtering. There is no tap of order
0: it would copy the rating that is asked for. **Movie-based**: the same of the
transposed matrix, with networks :math:`C_u` of movies that user u rated. **Mirror
filtering** adds what passes through both networks,

.. math:: \hat x_{ui} = \sum_{l \ge 1} h_{l0} [B_i^l X]_{ui}
    + \sum_{m \ge 1} h_{0m} [X (C_u^T)^m]_{ui} + h_{11} [B_i X C_u^T]_{ui}

with orders above one on one side at a time. In all three, h minimises the squared error
over the training ratings; answers get their user's mean back and are clipped to 1..5.
Orders from two on can bring a training rating back to itself through a cycle of the
network, which no test rating can. That is the published method; ``cycles=False`` takes
away what comes back.
"""

import torch
from torch import Tensor

__all__ = ["centered", "cross_features", "filter_features", "fit_taps", "row_weights"]

_AT_ONCE = 4096  # pairs


def centered(ratings: Tensor) -> tuple[Tensor, Tensor]:  # shapes: (U, M), (U,)
    """Ratings less their user's mean, and the means; the mean of all for no ratings.

    Example:
        >>> centered(torch.tensor([[1.0, 3.0, 0.0]]))
        (tensor([[-1.,  1.,  0.]]), tensor([2.]))
    """
    rated = ratings > 0
    counts = rated.sum(1)
    everyone = ratings.sum() / counts.sum().clamp(min=1)
    means = torch.where(counts > 0, ratings.sum(1) / counts.clamp(min=1), everyone)
    return torch.where(rated, ratings - means[:, None], 0.0), means


def row_weights(
    similarity: Tensor,  # shape: (n, raters)
    neighbors: int,
) -> Tensor:  # shape: (n, raters)
    """The largest positive entries of each row, divided by their sum; or zeros.

    Example:
        >>> row_weights(torch.tensor([[0.6, -0.5, 0.2], [0.0, -0.1, 0.0]]), 2)
        tensor([[0.7500, 0.0000, 0.2500],
                [0.0000, 0.0000, 0.0000]])
    """
    positive = similarity.clamp(min=0)
    count = min(neighbors, positive.size(1))
    values, columns = positive.topk(count, dim=1)
    kept = torch.zeros_like(positive).scatter_(1, columns, values)
    total = kept.sum(1, keepdim=True)
    return torch.where(total > 0, kept / total.where(total > 0, 1.0), 0.0)


def filter_features(
    x: Tensor,  # shape: (N, M), centred
    rated: Tensor,  # shape: (N, M), bool
    similarity: Tensor,  # shape: (N, N)
    pairs: Tensor,  # shape: (n, 2), node and signal
    taps: int,
    *,
    neighbors: int = 40,
    cycles: bool = True,
) -> Tensor:  # shape: (n, taps)
    r"""What each order of the filter says at the asked entries: :math:`[B_i^l x^i]_u`.

    Args:
        x: Signals as columns; transpose for movie-based filtering.
        rated: Which entries are known.
        similarity: Of nodes.
        pairs: Entries that are asked for.
        taps: Number L of orders.
        neighbors: Most entries k of a row of the network.
        cycles: Whether a known rating may come back to itself.

    Example:
        >>> x = torch.tensor([[0.0], [1.0], [-2.0]])
        >>> similarity = torch.tensor([[0, 0.5, 0.5], [0.5, 0, 0], [0.5, 0, 0]])
        >>> filter_features(x, x != 0, similarity, torch.tensor([[0, 0]]), 2)
        tensor([[-0.5000,  0.0000]])
    """
    found = x.new_zeros(len(pairs), taps)
    for signal, rows in _grouped(pairs[:, 1]):
        raters = rated[:, signal].nonzero().squeeze(1)
        if not len(raters):
            continue
        known, asked = similarity[raters][:, raters], similarity[pairs[rows, 0]]
        among = row_weights(known, neighbors)
        to_asked = row_weights(asked[:, raters], neighbors)
        z = x[raters, signal]
        for tap in range(taps):
            found[rows, tap] = to_asked @ z
            z = among @ z
        if not cycles:
            back = x.new_zeros(len(x), taps)
            back[raters] = _returned(among, x[raters, signal], taps)
            found[rows] -= back[pairs[rows, 0]]
    return found


def _returned(among: Tensor, x: Tensor, taps: int) -> Tensor:  # shape: (raters, taps)
    """What comes back of each rater's own value: the diagonal of each power of it."""
    power, columns = among, []
    for _ in range(taps):
        columns.append(power.diagonal() * x)
        power = power @ among
    return torch.stack(columns, dim=1)


def cross_features(
    x: Tensor,  # shape: (U, M), centred
    rated: Tensor,  # shape: (U, M), bool
    users: Tensor,  # shape: (U, U)
    movies: Tensor,  # shape: (M, M)
    pairs: Tensor,  # shape: (n, 2)
    neighbors: int = 40,
) -> Tensor:  # shape: (n, 1)
    r"""What passes through both networks once: :math:`[B_i X C_u^T]_{ui}`.

    Args:
        x: Centred ratings.
        rated: Which entries are known.
        users: Similarity of users.
        movies: Similarity of movies.
        pairs: Entries that are asked for.
        neighbors: Most entries k of a row of either network.

    Example:
        >>> x, alike = torch.tensor([[0.0, 2.0], [1.0, 3.0]]), 1 - torch.eye(2)
        >>> cross_features(x, x != 0, alike, alike, torch.tensor([[0, 0]]))
        tensor([[3.]])
    """
    order = pairs[:, 1].argsort(stable=True)
    found = x.new_zeros(len(pairs), 1)
    for rows in order.split(_AT_ONCE):
        found[rows, 0] = _crossed(x, rated, (users, movies), pairs[rows], neighbors)
    return found


def _crossed(
    x: Tensor,
    rated: Tensor,
    similarity: tuple[Tensor, Tensor],
    pairs: Tensor,
    neighbors: int,
) -> Tensor:
    users, movies = similarity
    rows_of = x.new_zeros(len(pairs), x.size(1))  # (B_i X)_u
    for signal, rows in _grouped(pairs[:, 1]):
        raters = rated[:, signal].nonzero().squeeze(1)
        if len(raters):
            weights = row_weights(users[pairs[rows, 0]][:, raters], neighbors)
            rows_of[rows] = weights @ x[raters]
    found = x.new_zeros(len(pairs))
    for user, rows in _grouped(pairs[:, 0]):
        seen = rated[user].nonzero().squeeze(1)
        if len(seen):
            weights = row_weights(movies[pairs[rows, 1]][:, seen], neighbors)
            found[rows] = (weights * rows_of[rows][:, seen]).sum(1)
    return found


def _grouped(numbers: Tensor) -> list[tuple[int, Tensor]]:
    """Each number that occurs, and where."""
    found, counts = numbers.unique(return_counts=True)
    places = numbers.argsort(stable=True).split(counts.tolist())
    return list(zip(found.tolist(), places, strict=True))


def fit_taps(
    features: Tensor,  # shape: (n, taps)
    values: Tensor,  # shape: (n,)
) -> Tensor:  # shape: (taps,)
    """Filter coefficients of the least squared error; the smallest where many are.

    Example:
        >>> fit_taps(torch.tensor([[1.0], [2.0]]), torch.tensor([3.0, 6.0]))
        tensor([3.])
    """
    solved = torch.linalg.lstsq(
        features.double(), values.double()[:, None], driver="gelsd"
    )
    taps: Tensor = solved.solution.squeeze(1).to(values.dtype)
    return taps
