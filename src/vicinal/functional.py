"""Pure functions: graph filters, local operators and their combination.

Signals are tensors ``(..., nodes, features)``; the graph is always an argument. Where a
function takes a graph it also takes :class:`~vicinal.graphs.Neighborhoods` made by hand,
for example ``graph.neighborhoods(2, exact=True)``; these bring their own hop count.
"""

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from vicinal import kernels
from vicinal.graphs import Graph, Neighborhoods, SparseMatrix
from vicinal.graphs.graph import averaging, check_hops
from vicinal.kernels import rank
from vicinal.kernels.rank import Rank

__all__ = [
    "Selection",
    "graph_filter",
    "local_max",
    "local_mean",
    "local_median",
    "local_rank",
    "local_select",
    "multiresolution",
    "shift_powers",
]

Convention = Literal["upper", "lower"]
Nan = Literal["propagate", "ignore", "raise"]
Ties = Literal["first", "share"]
Form = Literal["auto", "powers", "horner"]

_HALF = (torch.float16, torch.bfloat16)
_FLOATS = (torch.float64, torch.float32, *_HALF)


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
    empty: Literal["raise", "self"] | float = "raise",
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
    if convention not in ("upper", "lower"):
        raise ValueError(f"`convention` must be 'upper' or 'lower', got {convention!r}")
    rule = rank.UPPER_MEDIAN if convention == "upper" else rank.LOWER_MEDIAN
    return local_select(x, graph, rule, hops, nan=nan, empty=empty, ties=ties).values


def local_max(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    hops: int = 1,
    *,
    nan: Nan = "propagate",
    empty: Literal["raise", "self"] | float = "raise",
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
    empty: Literal["raise", "self"] | float = "raise",
    ties: Ties = "first",
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the value of rank ``q`` over the neighbourhood of every node.

    .. math:: y_{kif} = x_{[1 + \lfloor q (n - 1) \rfloor]}

    ``q=0`` is the minimum, ``q=1`` the maximum. ``q=0.5`` of an even number of values is
    the lower middle value, not the paper's median. Ranks are integers throughout.

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
    empty: Literal["raise", "self"] | float = "raise",
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
    _check_signal(x, graph)
    _check_policies(nan, empty, ties)
    if nan == "raise":
        _require(~x.isnan().any(), "`x` must not hold NaN, got some; see `nan=`")
    signals = x.flatten(0, -3) if x.dim() != 2 else x.unsqueeze(0)  # (B, N, F)
    if isinstance(graph, Graph) and rule == rank.MAX and ties == "first":
        check_hops(hops)
        step = graph.neighborhoods(1)
        values, nodes = kernels.maxima(
            signals, step.indptr, step.indices, hops, nan == "ignore"
        )
        may_be_empty = nan == "ignore"
    else:
        balls = graph if isinstance(graph, Neighborhoods) else graph.neighborhoods(hops)
        hops = balls.hops
        pick = kernels.select_shared if ties == "share" else kernels.select
        values, nodes = pick(
            signals, balls.indptr, balls.indices, rule, nan == "ignore"
        )
        may_be_empty = nan == "ignore" or balls.smallest == 0
    shape = (*x.shape[:-2], hops, *x.shape[-2:])
    selection = Selection(values.reshape(shape), nodes.reshape(shape))
    return _filled(x, selection, empty) if may_be_empty else selection


def _filled(
    x: Tensor, selection: Selection, empty: Literal["raise", "self"] | float
) -> Selection:
    """Put something, or an error, where a neighbourhood was empty."""
    values, nodes = selection
    missing = nodes < 0
    if empty == "raise":
        _require(
            ~missing.any(),
            "`graph` must have no empty neighbourhood, got one; pass empty='self' or a "
            "number",
        )
        return selection
    if empty == "self":
        own = torch.arange(x.size(-2), dtype=nodes.dtype, device=x.device)[:, None]
        values = torch.where(missing, x.unsqueeze(-3), values)
        return Selection(values, torch.where(missing, own, nodes))
    return Selection(values.masked_fill(missing, float(empty)), nodes)


def local_mean(
    x: Tensor,  # shape: (..., N, F)
    graph: Graph | Neighborhoods,
    hops: int = 1,
) -> Tensor:  # shape: (..., hops, N, F)
    r"""Take the mean over the neighbourhood of every node: the linear twin.

    .. math:: y_{kif} = \frac{1}{|\mathcal{N}_i^k|} \sum_{j \in \mathcal{N}_i^k} x_{jf}

    An empty neighbourhood gives 0.

    Args:
        x: Graph signals.
        graph: The graph, or neighbourhoods made by hand.
        hops: Largest hop count; neighbourhoods made by hand bring their own.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., hops, N, F)``

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> x = torch.tensor([[3.0], [1.0], [2.0]])
        >>> local_mean(x, path).flatten()
        tensor([2.0000, 2.0000, 1.5000])
    """
    _check_signal(x, graph)
    dtype = torch.float32 if x.dtype in _HALF else x.dtype
    if isinstance(graph, Neighborhoods):
        hops, matrix = graph.hops, averaging(graph, dtype)
    else:
        matrix = graph.averages(hops, dtype=dtype)
    means = _multiply(matrix, x)  # (..., hops * N, F)
    return means.unflatten(-2, (hops, x.size(-2)))


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
    hops, features = stacked.size(-3), x.size(-1)
    if weight.shape not in ((hops + 1,), (hops + 1, features)):
        raise ValueError(
            f"`weight` must have shape ({hops + 1},) or ({hops + 1}, {features}), "
            f"got {tuple(weight.shape)}"
        )
    combined = weight[0] * x
    for k in range(hops):
        combined = combined + weight[k + 1] * stacked.select(-3, k)
    return combined


def graph_filter(
    x: Tensor,  # shape: (..., N, G), or a sparse (N, G)
    shift: SparseMatrix,
    weight: Tensor,  # shape: (taps, G, F)
    bias: Tensor | None = None,  # shape: (F,)
    form: Form = "auto",
) -> Tensor:  # shape: (..., N, F)
    r"""Filter signals by a bank of polynomials in the shift operator.

    .. math:: u^f = \sum_g \sum_{k=0}^{K-1} h_k^{fg} S^k x^g

    Args:
        x: Graph signals; a sparse tensor is never made dense.
        shift: The shift operator, see :meth:`vicinal.Graph.shift`.
        weight: Filter coefficients, one matrix per tap.
        bias: Added to every node.
        form: ``"powers"`` shifts the inputs, ``"horner"`` the outputs; ``"auto"``
            shifts on the side with fewer features.

    Shape:
        - x: ``(..., N, G)``
        - weight: ``(taps, G, F)``
        - output: ``(..., N, F)``

    Example:
        >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        >>> x = torch.tensor([[1.0], [0.0], [0.0]])
        >>> taps = torch.tensor([5.0, 3.0]).view(2, 1, 1)
        >>> graph_filter(x, ring.shift(), taps).flatten()
        tensor([5., 3., 0.])
    """
    if form not in ("auto", "powers", "horner"):
        raise ValueError(f"`form` must be auto, powers or horner, got {form!r}")
    taps, inputs, outputs = weight.shape
    sparse = x.layout != torch.strided
    if form == "auto":
        narrow = inputs < outputs or (shift.dense is not None and inputs == outputs)
        form = "powers" if narrow else "horner"
    if form == "powers" and not sparse:
        u = tap_sum(shift_powers(x, shift, taps), weight)
    else:
        u = _horner(x, shift, weight)
    return u if bias is None else u + bias


def shift_powers(
    x: Tensor,  # shape: (..., N, G)
    shift: SparseMatrix,
    taps: int,
) -> Tensor:  # shape: (taps, ..., N, G)
    """Stack x, Sx, ..., S^(taps-1) x; compute it once for inputs that never change.

    Example:
        >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        >>> shift_powers(torch.eye(3)[:, :1], ring.shift(), 3).squeeze(-1)
        tensor([[1., 0., 0.],
                [0., 1., 0.],
                [0., 0., 1.]])
    """
    shifted = [x]
    for _ in range(taps - 1):
        shifted.append(_multiply(shift, shifted[-1]))
    return torch.stack(shifted)


def tap_sum(powers: Tensor, weight: Tensor) -> Tensor:
    """Combine stacked powers ``(taps, ..., N, G)`` by ``(taps, G, F)`` coefficients."""
    rows = powers.movedim(0, -2).flatten(-2)  # (..., N, taps * G)
    return rows @ weight.flatten(0, 1).to(rows.dtype)


def _horner(x: Tensor, shift: SparseMatrix, weight: Tensor) -> Tensor:
    taps, inputs, outputs = weight.shape
    mixed = x @ weight.movedim(0, 1).reshape(inputs, taps * outputs)
    terms = mixed.unflatten(-1, (taps, outputs)).unbind(-2)
    u = terms[-1]
    for term in reversed(terms[:-1]):
        u = term + _multiply(shift, u)
    return u


def _multiply(matrix: SparseMatrix, x: Tensor) -> Tensor:
    """Apply a fixed sparse matrix along the node dimension."""
    if matrix.dense is not None:
        return matrix.dense.to(x.dtype) @ x
    nodes_first = x.movedim(-2, 0)  # (N, ..., F)
    columns = nodes_first.reshape(x.size(-2), -1)
    result = kernels.product(columns, matrix.rows, matrix.columns)
    return result.view(-1, *nodes_first.shape[1:]).movedim(0, -2)


def _check_signal(x: Tensor, graph: Graph | Neighborhoods) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"`x` must be a tensor, got {type(x).__name__}")
    if not isinstance(graph, Graph | Neighborhoods):
        raise TypeError(f"`graph` must be a vicinal.Graph, got {type(graph).__name__}")
    if x.dtype not in _FLOATS:
        raise TypeError(
            f"`x` must be floating point, got {x.dtype}; convert it with `x.float()`"
        )
    if x.dim() < 2 or x.size(-2) != graph.num_nodes:
        raise ValueError(
            f"`x` must have shape (..., {graph.num_nodes}, features), "
            f"got {tuple(x.shape)}"
        )
    if x.device != graph.indices.device:
        raise ValueError(
            f"`graph` must be on the device of `x` ({x.device}), got "
            f"{graph.indices.device}; move it with `graph.to(x.device)`"
        )


def _check_policies(nan: str, empty: str | float, ties: str) -> None:
    if nan not in ("propagate", "ignore", "raise"):
        raise ValueError(f"`nan` must be propagate, ignore or raise, got {nan!r}")
    if ties not in ("first", "share"):
        raise ValueError(f"`ties` must be 'first' or 'share', got {ties!r}")
    if isinstance(empty, str) and empty not in ("raise", "self"):
        raise ValueError(f"`empty` must be 'raise', 'self' or a number, got {empty!r}")


def _require(holds: Tensor, message: str) -> None:
    """Check data, also inside a compiled program."""
    if torch.compiler.is_compiling():
        torch._assert_async(holds, message)
    elif not holds:
        raise ValueError(message)
