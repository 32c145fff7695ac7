"""Gradients of the raw operators, in every mode of torch.

A selection is a matrix with a single one per row (Proposition 4 of the paper): its
backward pass is one scatter along the selected nodes, its tangent one gather. Both are
differentiable again. With ``ties="share"`` the row holds 1/t at each of t tied nodes.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from vicinal.kernels import operators

__all__ = ["maxima", "product", "select", "select_shared"]

_HALF = (torch.float16, torch.bfloat16)


def _differentiable(
    name: str,
    remember: Callable[..., None],
    backward: Callable[..., Any],
    tangent: Callable[..., Any],
) -> Callable[..., Any]:
    """Give ``vicinal::name`` its gradient, twice, from one definition.

    A :class:`torch.autograd.Function` serves eager mode and :mod:`torch.func`; the
    gradient registered with the operator serves ``torch.compile`` and exported
    programs, which do not trace a Function that has a forward-mode rule.
    """
    operator = getattr(operators, name)
    body = {
        "generate_vmap_rule": True,
        "forward": staticmethod(lambda *inputs: operator(*inputs)),
        "setup_context": staticmethod(remember),
        "backward": staticmethod(backward),
        "jvp": staticmethod(tangent),
    }
    function: Any = type(name, (Function,), body)
    torch.library.register_autograd(
        f"vicinal::{name}", backward, setup_context=remember
    )

    def call(*inputs: Any) -> Any:
        if torch.compiler.is_compiling():
            return operator(*inputs)
        return function.apply(*inputs)

    return call


def _save(ctx: Any, *tensors: Tensor) -> None:
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


# --- one node per row -----------------------------------------------------------------


def _remember_nodes(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.num_nodes = inputs[0].size(1)
    ctx.mark_non_differentiable(output[1])
    _save(ctx, output[1])


def _scatter(ctx: Any, grad: Tensor, _: Any) -> tuple[Any, ...]:
    (nodes,) = ctx.saved_tensors
    wide = grad.float() if grad.dtype in _HALF else grad
    sent = wide.masked_fill(nodes < 0, 0)
    zeros = sent.new_zeros(sent.size(0), ctx.num_nodes, sent.size(2))
    grad_x = zeros.scatter_add(1, nodes.clamp(min=0).long(), sent).to(grad.dtype)
    return grad_x, None, None, None, None


def _gather(ctx: Any, tangent: Tensor, *_: Any) -> tuple[Tensor, None]:
    (nodes,) = ctx.saved_tensors
    taken = tangent.gather(1, nodes.clamp(min=0).long())
    return taken.masked_fill(nodes < 0, 0), None


_select = _differentiable("select", _remember_nodes, _scatter, _gather)
_maxima = _differentiable("maxima", _remember_nodes, _scatter, _gather)


# --- tied nodes share -----------------------------------------------------------------


def _remember_ties(ctx: Any, inputs: Any, output: Any) -> None:
    x, indptr, indices, *_ = inputs
    ctx.mark_non_differentiable(output[1])
    _save(ctx, x, output[0], indptr, indices)


def _remember_rest(ctx: Any, inputs: Any, output: Any) -> None:
    _save(ctx, *inputs[1:])


_tie_mean: Callable[..., Any] = _differentiable(
    "tie_mean",
    _remember_rest,
    lambda ctx, grad: (_tie_spread(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: _tie_mean(tangent, *_detached(ctx)),
)
_tie_spread: Callable[..., Any] = _differentiable(
    "tie_spread",
    _remember_rest,
    lambda ctx, grad: (_tie_mean(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: _tie_spread(tangent, *_detached(ctx)),
)
_select_shared = _differentiable(
    "select_shared",
    _remember_ties,
    lambda ctx, grad, _: (_tie_spread(grad, *_detached(ctx)), None, None, None, None),
    lambda ctx, tangent, *_: (_tie_mean(tangent, *_detached(ctx)), None),
)


def _detached(ctx: Any) -> list[Tensor]:
    return [tensor.detach() for tensor in ctx.saved_tensors]


# --- a fixed sparse matrix ------------------------------------------------------------


def _transposed(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    saved = ctx.saved_tensors
    return _product(grad, *saved[3:], *saved[:3]), None, None, None, None, None, None


_product: Callable[..., Any] = _differentiable(
    "product",
    _remember_rest,
    _transposed,
    lambda ctx, tangent, *_: _product(tangent, *ctx.saved_tensors),
)


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


def product(
    x: Tensor,  # shape: (N, C)
    matrix: tuple[Tensor, Tensor, Tensor],  # CSR of (M, N)
    transpose: tuple[Tensor, Tensor, Tensor],  # CSR of (N, M)
) -> Tensor:  # shape: (M, C)
    """Multiply a fixed sparse matrix by ``x``; the transpose serves backward."""
    result: Tensor = _product(x, *matrix, *transpose)
    return result
