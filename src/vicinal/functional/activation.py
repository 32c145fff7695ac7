"""Order statistics over all hops and their weighted sum, in one call."""

from torch import Tensor

from vicinal import kernels
from vicinal.functional.combine import multiresolution
from vicinal.functional.local import local_select, too_large
from vicinal.functional.policies import Empty, check_policies
from vicinal.functional.signals import HALF, check_hop_weights, check_signal
from vicinal.graphs import Graph, Neighborhoods
from vicinal.kernels import rank
from vicinal.kernels.rank import Rank

__all__ = ["local_activation"]


def local_activation(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    rule: Rank = rank.UPPER_MEDIAN,
    *,
    empty: Empty = "raise",
) -> Tensor:  # shape: (..., N, F)
    r"""Weigh each node's own value and one order statistic per hop count.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k\, \operatorname{op}(S^k, x)

    The same as :func:`multiresolution` of :func:`local_select`, without a tensor of all
    hops in between.

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        weight: Coefficients, one vector for all features or one per feature.
        rule: Which order statistic, see :mod:`vicinal.kernels.rank`.
        empty: As in :func:`local_median`.

    Shape:
        - x: ``(..., N, F)``
        - weight: ``(hops + 1,)`` or ``(hops + 1, F)``
        - output: ``(..., N, F)``

    Example:
        >>> import torch
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_activation(x, path, torch.tensor([0.5, 0.5])).flatten()
        tensor([3.0000, 1.5000, 2.0000])
    """
    check_signal(x, graph)
    check_hop_weights(x, weight)
    check_policies(rule, "propagate", empty, "first")
    hops = weight.size(0) - 1
    if x.dtype in HALF or weight.dtype != x.dtype:
        return _in_steps(x, graph, weight, rule, empty)
    signals = x.flatten(0, -3) if x.dim() != 2 else x.unsqueeze(0)  # (B, N, F)
    if isinstance(graph, Graph) and rule == rank.MAX:
        step = graph.neighborhoods(1)
        z = kernels.combine_maxima(signals, weight, step.indptr, step.indices)
        return z.reshape(x.shape)
    if isinstance(graph, Graph) and too_large(graph, hops, x):
        z = kernels.combine_balls(signals, weight, graph.indptr, graph.indices, rule)
        return z.reshape(x.shape)
    balls = graph if isinstance(graph, Neighborhoods) else graph.neighborhoods(hops)
    if balls.smallest == 0 or balls.hops != hops:
        return _in_steps(x, balls, weight, rule, empty)
    z = kernels.combine(signals, weight, balls.indptr, balls.indices, rule)
    return z.reshape(x.shape)


def _in_steps(
    x: Tensor,
    graph: Graph | Neighborhoods,
    weight: Tensor,
    rule: Rank,
    empty: Empty,
) -> Tensor:
    """The same as two calls, where no kernel does both."""
    hops = weight.size(0) - 1
    values = local_select(x, graph, rule, hops, empty=empty).values
    return multiresolution(x, values, weight)
