"""Linear companions of the local operators: means, and the sum over hops."""

import torch
from torch import Tensor

from vicinal.functional.policies import Empty, check_empty, filled
from vicinal.functional.product import multiply, to_columns, to_signals
from vicinal.functional.signals import HALF, check_hop_weights, check_signal
from vicinal.graphs import Graph, Neighborhoods, averages
from vicinal.graphs.arguments import check_tensor
from vicinal.graphs.neighborhoods import check_hops

__all__ = ["local_mean", "multiresolution"]


def local_mean(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    hops: int = 1,
    *,
    empty: Empty = "raise",
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the mean over the neighbourhood of every node: the linear twin.

    .. math:: y_{kif} = \frac{1}{|\mathcal{N}_i^k|} \sum_{j \in \mathcal{N}_i^k} x_{jf}

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        hops: Largest hop count; neighbourhoods made by hand bring their own.
        empty: What an empty neighbourhood gives: an error, the node's own value
            (``"self"``) or a number.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., hops, N, F)``

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_mean(x, path).flatten()
        tensor([2.0000, 2.0000, 1.5000])
    """
    check_signal(x, graph)
    check_hops(hops)
    check_empty(empty)
    dtype = torch.float32 if x.dtype in HALF else x.dtype
    if isinstance(graph, Neighborhoods):
        hops = graph.hops
    means = multiply(averages(graph, hops, dtype), to_columns(x))  # (hops * N, C)
    stacked = to_signals(means, x.shape[:-2], x.size(-1))
    stacked = stacked.reshape(*x.shape[:-2], hops, *x.shape[-2:])
    if isinstance(graph, Graph) or graph.smallest > 0:
        return stacked
    missing = (graph.indptr.diff() == 0).view(hops, x.size(-2), 1)
    return filled(x, stacked, missing, empty)


def multiresolution(
    x: Tensor,  # shape: (..., N, F)
    stacked: Tensor,  # shape: (..., hops, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
) -> Tensor:  # shape: (..., N, F)
    r"""Weigh each node's own value and its local terms.

    .. math:: z_{if} = w_0\, x_{if} + \sum_{k=1}^{K} w_k\, y_{kif}

    Args:
        x: Graph signals.
        stacked: Local terms, one slice per hop count.
        weight: Coefficients, one vector for all features or one per feature.

    Shape:
        - x: ``(..., N, F)``
        - stacked: ``(..., hops, N, F)``
        - weight: ``(hops + 1,)`` or ``(hops + 1, F)``
        - output: ``(..., N, F)``

    Example:
        >>> x, y = torch.tensor([[2.0]]), torch.tensor([[[4.0]]])
        >>> multiresolution(x, y, torch.tensor([0.5, 0.25]))
        tensor([[2.]])
    """
    check_tensor("x", x)
    check_tensor("stacked", stacked)
    if stacked.dim() < 3 or (*stacked.shape[:-3], *stacked.shape[-2:]) != x.shape:
        raise ValueError(
            f"`stacked` must have shape (..., hops, nodes, features) over `x` of shape "
            f"{tuple(x.shape)}, got {tuple(stacked.shape)}"
        )
    hops = stacked.size(-3)
    check_hop_weights(x, weight, hops)
    combined = weight[0] * x
    for k in range(hops):
        combined = combined + weight[k + 1] * stacked.select(-3, k)
    return combined.to(x.dtype) if x.dtype in HALF else combined
