"""Nearest neighbours: of a whole signal, or of its amplitude alone."""

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from vicinal.graphs import Graph

__all__ = ["amplitude", "nearest_neighbor", "perron_vector"]


def nearest_neighbor(
    x: Tensor,  # shape: (n, D)
    labels: Tensor,  # shape: (n,)
    new: Tensor,  # shape: (m, D)
    num_classes: int,
) -> Tensor:  # shape: (m, C)
    r"""The class of the nearest training signal (1-NN), as zeros and a one.

    .. math:: \hat y(x) = y_{m^*}, \qquad m^* = \arg\min_m \|x - x_m\|

    Example:
        >>> x, labels = torch.tensor([[0.0], [5.0]]), torch.tensor([1, 0])
        >>> nearest_neighbor(x, labels, torch.tensor([[1.0]]), 2)
        tensor([[0., 1.]])
    """
    nearest = torch.cdist(new.double(), x.double()).argmin(1)
    return one_hot(labels[nearest], num_classes).to(x.dtype)


def amplitude(
    x: Tensor,  # shape: (n, N)
    labels: Tensor,  # shape: (n,)
    new: Tensor,  # shape: (m, N)
    graph: Graph,
    num_classes: int,
) -> Tensor:  # shape: (m, C)
    r"""One number per signal, and the class whose mean of it is nearest.

    .. math:: a(x) = \langle v_1, x \rangle, \qquad
        \text{logit}_c = -\bigl(a(x) - \bar a_c\bigr)^2

    with :math:`v_1` the eigenvector of the largest eigenvalue: diffusion leaves
    :math:`a(W^t \delta_c) = [v_1]_c` as it is, so without noise it names the source.

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> impulses = torch.eye(3)[:2]
        >>> amplitude(impulses, torch.tensor([0, 1]), impulses, path, 2).argmax(1)
        tensor([0, 1])
    """
    vector = perron_vector(graph)
    known, asked = x.double() @ vector, new.double() @ vector
    member = one_hot(labels, num_classes).double()  # (n, C)
    count = member.sum(0)
    means = torch.where(count > 0, known @ member / count.clamp(min=1), torch.inf)
    return -(asked[:, None] - means).square().to(x.dtype)


def perron_vector(graph: Graph) -> Tensor:  # shape: (N,)
    """Unit eigenvector of the largest eigenvalue of a symmetric adjacency.

    Example:
        >>> perron_vector(Graph.from_edges([(0, 1), (1, 0)])).square()
        tensor([0.5000, 0.5000], dtype=torch.float64)
    """
    _, vectors = torch.linalg.eigh(graph.to_dense().double())
    vector: Tensor = vectors[:, -1]
    return vector * torch.sign(vector.sum())
