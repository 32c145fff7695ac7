"""Gradients of the raw operators.

A selection is a matrix with a single one per row (Proposition 4 of the paper): its
backward pass is one scatter along the selected nodes, its tangent one gather. Both are
differentiable again. With ``ties="share"`` the row holds 1/t at each of t tied nodes.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from vicinal.kernels import operators
from vicinal.kernels import tracing as tracing
from vicinal.kernels.autograd import differentiable, is_tracked, save

__all__ = [
    "combine",
    "combine_balls",
    "combine_maxima",
    "maxima",
    "select",
    "select_balls",
    "select_shared",
]


# --- one node per row -----------------------------------------------------------------


def _leave_out(ctx: Any, nodes: Tensor) -> None:
    """Selected nodes have no gradient, and autograd makes no zeros in its place."""
    ctx.mark_non_differentiable(nodes)
    ctx.set_materialize_grads(False)


def _remember_nodes(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.num_nodes = inputs[0].size(1)
    _leave_out(ctx, output[1])
    save(ctx, output[1])


def _rest(count: int) -> tuple[None, ...]:
    return (None,) * count


_gather: Callable[..., Any] = differentiable(
    "gather",
    lambda ctx, inputs, output: _remember_shape(ctx, inputs[0], inputs[1]),
    lambda ctx, grad: (_scatter(grad, ctx.saved_tensors[0], ctx.num_nodes), None),
    lambda ctx, tangent, _: _gather(tangent, ctx.saved_tensors[0]),
)
_scatter: Callable[..., Any] = differentiable(
    "scatter",
    lambda ctx, inputs, output: _remember_shape(ctx, output, inputs[1]),
    lambda ctx, grad: (_gather(grad, ctx.saved_tensors[0]), None, None),
    lambda ctx, tangent, *_: _scatter(tangent, ctx.saved_tensors[0], ctx.num_nodes),
)


def _remember_shape(ctx: Any, signal: Tensor, nodes: Tensor) -> None:
    ctx.num_nodes = signal.size(1)
    save(ctx, nodes)


def _selection(name: str, plain: int) -> Callable[..., Any]:
    """A selection with so many arguments beside the signal."""
    return differentiable(
        name,
        _remember_nodes,
        lambda ctx, grad, _: (
            _scatter(grad, ctx.saved_tensors[0], ctx.num_nodes),
            *_rest(plain),
        ),
        lambda ctx, tangent, *_: (_gather(tangent, ctx.saved_tensors[0]), None),
    )


_select = _selection("select", 4)
_select_balls = _selection("select_balls", 5)
_maxima = _selection("maxima", 4)


# --- tied nodes share -----------------------------------------------------------------


def _remember_ties(ctx: Any, inputs: Any, output: Any) -> None:
    x, indptr, indices, *_ = inputs
    _leave_out(ctx, output[1])
    save(ctx, x, output[0], indptr, indices)


def _remember_rest(ctx: Any, inputs: Any, output: Any) -> None:
    save(ctx, *inputs[1:])


_tie_mean: Callable[..., Any] = differentiable(
    "tie_mean",
    _remember_rest,
    lambda ctx, grad: (_tie_spread(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: _tie_mean(tangent, *_detached(ctx)),
)
_tie_spread: Callable[..., Any] = differentiable(
    "tie_spread",
    _remember_rest,
    lambda ctx, grad: (_tie_mean(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: _tie_spread(tangent, *_detached(ctx)),
)
_select_shared = differentiable(
    "select_shared",
    _remember_ties,
    lambda ctx, grad, _: (_tie_spread(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: (_tie_mean(tangent, *_detached(ctx)), None),
)


def _detached(ctx: Any) -> list[Tensor]:
    return [tensor.detach() for tensor in ctx.saved_tensors]


# --- weighted sums over hops ----------------------------------------------------------


def _remember_combination(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, *_ = inputs
    _leave_out(ctx, output[1])
    save(ctx, x, weight, output[1])


def _combine_backward(grad: Tensor, x: Tensor, weight: Tensor, nodes: Tensor) -> Any:
    """Gradients by signal and weight; differentiable again where that is asked for."""
    if not torch.is_grad_enabled():
        return operators.combine_backward(grad, x, weight, nodes)
    grad_x = weight[0] * grad
    for factor, chosen in zip(weight[1:], _by_hop(nodes, x, weight), strict=True):
        grad_x = grad_x + factor * _scatter(grad, chosen, x.size(1))
    terms = [x, *(_gather(x, chosen) for chosen in _by_hop(nodes, x, weight))]
    axes = (0, 1) if weight.dim() == 2 else (0, 1, 2)
    return grad_x, torch.stack([(grad * term).sum(axes) for term in terms])


def _by_hop(nodes: Tensor, x: Tensor, weight: Tensor) -> tuple[Tensor, ...]:
    """Selected nodes, ``(B, hops * N, F)``, as one tensor per hop."""
    hops = weight.size(0) - 1
    return nodes.split(x.size(1), 1) if hops else ()


def _combine_tangent(ctx: Any, x_tangent: Any, weight_tangent: Any, *_: Any) -> Any:
    x, weight, nodes = ctx.saved_tensors
    total = torch.zeros_like(x)
    for signal, factors in ((x_tangent, weight), (x, weight_tangent)):
        if signal is not None and factors is not None:
            selected = _by_hop(nodes, x, weight)
            terms = [signal, *(_gather(signal, chosen) for chosen in selected)]
            total = total + sum(w * t for w, t in zip(factors, terms, strict=True))
    return total, None


def _combination(name: str, plain: int) -> Callable[..., Any]:
    """A combination with so many arguments beside signal and weight."""
    return differentiable(
        name,
        _remember_combination,
        lambda ctx, grad, _: (
            *_combine_backward(grad, *ctx.saved_tensors),
            *_rest(plain),
        ),
        _combine_tangent,
    )


_combine = _combination("combine", 5)
_combine_balls = _combination("combine_balls", 5)
_combine_maxima = _combination("combine_maxima", 4)


# --- what the rest of the library calls -----------------------------------------------


def select(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (M + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: tuple[int, int, int],
    skip_nan: bool = False,
) -> tuple[Tensor, Tensor]:  # shapes: (B, M, F), (B, M, F)
    """Pick the node of the given rank in every row: its value and its id."""
    values, nodes = _select(x, indptr, indices, list(rank), skip_nan)
    return values, nodes


def select_shared(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (M + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: tuple[int, int, int],
    skip_nan: bool = False,
) -> tuple[Tensor, Tensor]:  # shapes: (B, M, F), (B, M, F)
    """As :func:`select`; tied nodes share the gradient evenly."""
    values, nodes = _select_shared(x, indptr, indices, list(rank), skip_nan)
    return values, nodes


def maxima(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    skip_nan: bool = False,
) -> tuple[Tensor, Tensor]:  # shapes: (B, hops * N, F), (B, hops * N, F)
    """Take the maximum over 1, ..., ``hops`` steps along the rows."""
    values, nodes = _maxima(x, indptr, indices, hops, skip_nan)
    return values, nodes


def select_balls(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    rank: tuple[int, int, int],
    skip_nan: bool = False,
) -> tuple[Tensor, Tensor]:  # shapes: (B, hops * N, F), (B, hops * N, F)
    """As :func:`select` in balls of 1, ..., ``hops`` hops that are never stored."""
    values, nodes = _select_balls(x, indptr, indices, hops, list(rank), skip_nan)
    return values, nodes


def combine(
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    indptr: Tensor,  # shape: (hops * N + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: tuple[int, int, int],
) -> Tensor:  # shape: (B, N, F)
    """Weigh each node's own value and the ones of the given rank in its rows."""
    keep = is_tracked(x, weight)
    combined, _ = _combine(x, weight, indptr, indices, list(rank), False, keep)
    result: Tensor = combined
    return result


def combine_balls(
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: tuple[int, int, int],
) -> Tensor:  # shape: (B, N, F)
    """As :func:`combine` in balls of 1, ..., hops hops that are never stored."""
    keep = is_tracked(x, weight)
    combined, _ = _combine_balls(x, weight, indptr, indices, list(rank), False, keep)
    result: Tensor = combined
    return result


def combine_maxima(
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
) -> Tensor:  # shape: (B, N, F)
    """Weigh each node's own value and its maxima over 1, ..., hops steps."""
    keep = is_tracked(x, weight)
    combined, _ = _combine_maxima(x, weight, indptr, indices, False, keep)
    result: Tensor = combined
    return result
