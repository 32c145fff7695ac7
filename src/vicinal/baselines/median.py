"""Medians without training: a filter, and features for a linear model."""

import torch
from torch import Tensor

from vicinal.functional import local_median
from vicinal.graphs import Graph

__all__ = ["median_features", "median_filter"]


def median_filter(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph,
) -> Tensor:  # shape: (..., N, F)
    r"""Replace each value by the median of its node and the neighbours.

    .. math:: y_i = \operatorname{med} \{ x_j : j \in \mathcal{N}_i \cup \{i\} \}

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> median_filter(torch.tensor([[1.0], [9.0], [2.0]]), path).flatten()
        tensor([9., 2., 9.])
    """
    return local_median(x, graph, hops=1).squeeze(-3)


def median_features(
    x: Tensor,  # shape: (..., N, 1)
    graph: Graph,
    hops: int,
) -> Tensor:  # shape: (..., N, hops + 1)
    r"""Each node's value and its medians over 1, ..., ``hops`` hops.

    .. math:: \phi_i = \bigl(x_i,\; \operatorname{med}(S, x)_i,\; \dots,\;
        \operatorname{med}(S^K, x)_i\bigr)

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> median_features(torch.tensor([[1.0], [9.0], [2.0]]), path, hops=1)
        tensor([[1., 9.],
                [9., 2.],
                [2., 9.]])
    """
    medians = local_median(x, graph, hops=hops).squeeze(-1)  # (..., hops, N)
    return torch.cat([x, medians.movedim(-2, -1)], dim=-1)
