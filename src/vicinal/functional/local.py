"""Order statistics over neighbourhoods: median, maximum, any rank."""

from typing import NamedTuple

import torch
from torch import Tensor

from vicinal import kernels
from vicinal.functional.policies import (
    Convention,
    Empty,
    Nan,
    Ties,
    check_policies,
    filled,
    require,
)
from vicinal.functional.signals import check_signal
from vicinal.graphs import Graph, Neighborhoods
from vicinal.graphs.arguments import check_choice
from vicinal.graphs.neighborhoods import check_hops
from vicinal.kernels import rank
from vicinal.kernels.rank import Rank

__all__ = ["Selection", "local_max", "local_median", "local_rank", "local_select"]


class Selection(NamedTuple):
    """What an order statistic picked: values and the nodes they came from."""

    values: Tensor  # shape: (..., hops, N, F)
    nodes: Tensor  # shape: (..., hops, N, F), int32; -1 where nothing was there


def local_median(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    hops: int = 1,
    *,
    convention: Convention = "upper",
    nan: Nan = "propagate",
    empty: Empty = "raise",
    ties: Ties = "first",
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the median over the neighbourhood of every node, one hop count at a time.

    .. math:: y_{kif} = \operatorname{med} \{ x_{jf} : j \in \mathcal{N}_i^k \},
        \qquad \operatorname{med} = x_{[n \div 2 + 1]}

    With an even number of neighbours the upper of the two middle values is taken, as
    the paper defines it (:func:`torch.median` and PyG take the lower one).

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        hops: Largest hop count; neighbourhoods made by hand bring their own.
        convention: ``"upper"`` or ``"lower"`` middle value.
        nan: ``"propagate"`` gives NaN, from the first NaN node; ``"ignore"`` leaves NaN
            out, a row of NaN counts as empty; ``"raise"`` refuses NaN.
        empty: What an empty neighbourhood gives: an error, the node's own value
            (``"self"``) or a number.
        ties: Which of several equal values gets the gradient: the node with the lowest
            id (``"first"``) or all, evenly (``"share"``).

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., hops, N, F)``

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_median(x, path).flatten()
        tensor([3., 2., 2.])
    """
    check_choice("convention", convention, ("upper", "lower"))
    rule = rank.UPPER_MEDIAN if convention == "upper" else rank.LOWER_MEDIAN
    return local_select(x, graph, rule, hops, nan=nan, empty=empty, ties=ties).values


def local_max(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    hops: int = 1,
    *,
    nan: Nan = "propagate",
    empty: Empty = "raise",
    ties: Ties = "first",
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the maximum over the neighbourhood of every node, one hop count at a time.

    .. math:: y_{kif} = \max \{ x_{jf} : j \in \mathcal{N}_i^k \}

    Computed as an iterated one-hop maximum, so that no k-hop neighbourhood is stored.

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        hops: Largest hop count; neighbourhoods made by hand bring their own.
        nan: As in :func:`local_median`.
        empty: As in :func:`local_median`.
        ties: As in :func:`local_median`.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., hops, N, F)``

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_max(x, path, hops=2).squeeze(-1)
        tensor([[3., 3., 2.],
                [3., 3., 3.]])
    """
    return local_select(
        x, graph, rank.MAX, hops, nan=nan, empty=empty, ties=ties
    ).values


def local_rank(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    q: float,
    hops: int = 1,
    *,
    nan: Nan = "propagate",
    empty: Empty = "raise",
    ties: Ties = "first",
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the value of rank ``q`` over the neighbourhood of every node.

    .. math:: y_{kif} = x_{[1 + \lfloor q (n - 1) \rfloor]}

    ``q=0`` is the minimum, ``q=1`` the maximum. ``q=0.5`` of an even number of values
    is the lower middle value, not the paper's median. Ranks are integers throughout.

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        q: Rank between 0 and 1, read as the decimal number it prints as.
        hops: Largest hop count; neighbourhoods made by hand bring their own.
        nan: As in :func:`local_median`.
        empty: As in :func:`local_median`.
        ties: As in :func:`local_median`.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., hops, N, F)``

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_rank(x, path, q=0.0).flatten()
        tensor([1., 1., 1.])
    """
    rule = rank.quantile(q)
    return local_select(x, graph, rule, hops, nan=nan, empty=empty, ties=ties).values


def local_select(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    rule: Rank,
    hops: int = 1,
    *,
    nan: Nan = "propagate",
    empty: Empty = "raise",
    ties: Ties = "first",
) -> Selection:
    """Pick one node per neighbourhood: its value and its id.

    This is what :func:`local_median`, :func:`local_max` and :func:`local_rank` call.

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        rule: Which order statistic, see :mod:`vicinal.kernels.rank`.
        hops: Largest hop count; neighbourhoods made by hand bring their own.
        nan: As in :func:`local_median`.
        empty: As in :func:`local_median`.
        ties: As in :func:`local_median`.

    Example:
        >>> from vicinal.kernels import rank
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_select(x, path, rank.UPPER_MEDIAN).nodes.flatten()
        tensor([0, 2, 2], dtype=torch.int32)
    """
    check_signal(x, graph)
    check_policies(rule, nan, empty, ties)
    if nan == "raise":
        require(~x.isnan().any(), "`x` must not hold NaN, got some; see `nan=`")
    signals = x.flatten(0, -3) if x.dim() != 2 else x.unsqueeze(0)  # (B, N, F)
    skip = nan == "ignore"
    if isinstance(graph, Graph) and rule == rank.MAX and ties == "first":
        check_hops(hops, largest=10**6)
        step = graph.neighborhoods(1)
        values, nodes = kernels.maxima(signals, step.indptr, step.indices, hops, skip)
        may_be_empty = skip
    elif isinstance(graph, Graph) and ties == "first" and too_large(graph, hops, x):
        values, nodes = kernels.select_balls(
            signals, graph.indptr, graph.indices, hops, rule, skip
        )
        may_be_empty = skip
    else:
        balls = graph if isinstance(graph, Neighborhoods) else graph.neighborhoods(hops)
        hops = balls.hops
        pick = kernels.select_shared if ties == "share" else kernels.select
        values, nodes = pick(signals, balls.indptr, balls.indices, rule, skip)
        may_be_empty = skip or balls.smallest == 0
    shape = (*x.shape[:-2], hops, *x.shape[-2:])
    selection = Selection(values.reshape(shape), nodes.reshape(shape))
    return _without_empty(x, selection, empty) if may_be_empty else selection


def too_large(graph: Graph, hops: int, x: Tensor) -> bool:
    """Whether native code has to find the neighbourhoods on the fly."""
    if torch.compiler.is_compiling() or not kernels.uses_native(x):
        return False
    return not graph.storable(hops)


def _without_empty(x: Tensor, selection: Selection, empty: Empty) -> Selection:
    values, nodes = selection
    missing = nodes < 0
    values = filled(x, values, missing, empty)
    if empty == "self":
        own = torch.arange(x.size(-2), dtype=nodes.dtype, device=x.device)[:, None]
        nodes = torch.where(missing, own, nodes)
    return Selection(values, nodes)
