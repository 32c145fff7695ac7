"""Stylometry: which author's mean profile of words is nearest.

J. Burrows: 'Delta': a measure of stylistic difference. Literary and Linguistic
Computing 17(3), 2002. P. Smith, W. Aldridge: Improving authorship attribution. Journal
of Quantitative Linguistics 18(1), 2011, for the cosine.
"""

import torch
from torch import Tensor

__all__ = ["burrows_delta", "cosine_delta", "nearest_author"]


def burrows_delta(
    x: Tensor,  # shape: (n, N)
    authors: Tensor,  # shape: (n,)
    new: Tensor,  # shape: (m, N)
) -> tuple[Tensor, Tensor]:  # shapes: (m, A), (A,)
    r"""Distances of texts from authors: the mean absolute difference of z-scores.

    .. math:: \Delta(x, a) = \frac{1}{N} \sum_i
        \bigl| z_i(x) - z_i(\bar x_a) \bigr|, \qquad
        z_i(x) = \frac{x_i - \mu_i}{\sigma_i}

    with mean and deviation over the training texts, and :math:`\bar x_a` the mean of an
    author's. A word without deviation does not count.

    Args:
        x: Counts of words in training texts of the same length.
        authors: Their authors.
        new: Texts to be attributed.

    Returns:
        Distances, and the authors that the columns belong to.

    Example:
        >>> x = torch.tensor([[0.0, 4.0], [2.0, 4.0], [6.0, 4.0]])
        >>> distance, known = burrows_delta(x, torch.tensor([7, 7, 9]), x[:1])
        >>> known, distance.argmin(1)
        (tensor([7, 9]), tensor([0]))
    """
    profiles, texts, known = _standardized(x, authors, new)
    return torch.cdist(texts, profiles, p=1.0) / x.size(1), known


def cosine_delta(
    x: Tensor,  # shape: (n, N)
    authors: Tensor,  # shape: (n,)
    new: Tensor,  # shape: (m, N)
) -> tuple[Tensor, Tensor]:  # shapes: (m, A), (A,)
    r"""Distances of texts from authors: one less the cosine between z-scores.

    .. math:: \Delta_\angle(x, a) = 1 -
        \frac{\langle z(x), z(\bar x_a) \rangle}{\|z(x)\| \, \|z(\bar x_a)\|}

    Arguments and results are those of :func:`burrows_delta`.

    Example:
        >>> x = torch.tensor([[0.0, 4.0], [2.0, 4.0], [6.0, 4.0]])
        >>> distance, _ = cosine_delta(x, torch.tensor([7, 7, 9]), x[:1])
        >>> distance
        tensor([[0., 2.]], dtype=torch.float64)
    """
    profiles, texts, known = _standardized(x, authors, new)
    directions = torch.nn.functional.normalize(profiles, dim=1)
    cosine = torch.nn.functional.normalize(texts, dim=1) @ directions.T
    return 1.0 - cosine, known


def nearest_author(
    distance: Tensor,  # shape: (m, A)
    known: Tensor,  # shape: (A,)
    author: int,
) -> Tensor:  # shape: (m, 2)
    r"""Logits of "another" and "the author": the nearest of all decides.

    .. math:: \text{logit}_1 = -\Delta(x, a^*), \qquad
        \text{logit}_0 = -\min_{a \ne a^*} \Delta(x, a)

    Example:
        >>> distance = torch.tensor([[0.5, 0.3, 0.4]])
        >>> nearest_author(distance, torch.tensor([4, 6, 8]), author=8)
        tensor([[-0.3000, -0.4000]])
    """
    own = known == author
    others = distance[:, ~own].min(1).values
    return -torch.stack([others, distance[:, own].squeeze(1)], 1)


def _standardized(
    x: Tensor, authors: Tensor, new: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """z-scores of authors' means and of new texts, and the authors."""
    known, place = authors.unique(return_inverse=True)
    inputs = x.double()
    center, spread = inputs.mean(0), inputs.std(0)
    scale = torch.where(spread > 0, 1.0 / spread, 0.0)
    total = torch.zeros(len(known), x.size(1), dtype=torch.float64)
    total.index_add_(0, place, inputs)
    profiles = total / torch.bincount(place)[:, None]
    return (profiles - center) * scale, (new.double() - center) * scale, known
