"""A fixed sparse matrix: its product, its powers, Horner's rule, and their gradients.

The gradient of a product is that with the transpose; powers and Horner's rule are, with
the transpose, each other's gradient.
"""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from vicinal.kernels.autograd import differentiable, save

__all__ = ["horner", "powers", "product"]

_NOTHING = (None,) * 7  # gradients of the matrix, its transpose and the taps


def _swapped(ctx: Any) -> tuple[Tensor, ...]:
    """The transpose, and the matrix as its transpose."""
    saved = ctx.saved_tensors
    return (*saved[3:], *saved[:3])


_product: Callable[..., Any] = differentiable(
    "product",
    lambda ctx, inputs, output: save(ctx, *inputs[1:]),
    lambda ctx, grad: (_product(grad, *_swapped(ctx)), *_NOTHING[:6]),
    lambda ctx, tangent, *_: _product(tangent, *ctx.saved_tensors),
)


def _remember_taps(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.taps = inputs[7]
    save(ctx, *inputs[1:7])


def _remember_terms(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.taps = inputs[0].size(2)
    save(ctx, *inputs[1:])


_powers: Callable[..., Any] = differentiable(
    "powers",
    _remember_taps,
    lambda ctx, grad: (_horner(grad, *_swapped(ctx)), *_NOTHING),
    lambda ctx, tangent, *_: _powers(tangent, *ctx.saved_tensors, ctx.taps),
)
_horner: Callable[..., Any] = differentiable(
    "horner",
    _remember_terms,
    lambda ctx, grad: (_powers(grad, *_swapped(ctx), ctx.taps), *_NOTHING[:6]),
    lambda ctx, tangent, *_: _horner(tangent, *ctx.saved_tensors),
)


def product(
    x: Tensor,  # shape: (N, C)
    matrix: tuple[Tensor, Tensor, Tensor],  # CSR of (M, N)
    transpose: tuple[Tensor, Tensor, Tensor],  # CSR of (N, M)
) -> Tensor:  # shape: (M, C)
    """Multiply a fixed sparse matrix by ``x``; the transpose serves backward."""
    result: Tensor = _product(x, *matrix, *transpose)
    return result


def powers(
    x: Tensor,  # shape: (B, N, F)
    matrix: tuple[Tensor, Tensor, Tensor],  # CSR of (N, N)
    transpose: tuple[Tensor, Tensor, Tensor],  # CSR of (N, N)
    taps: int,
) -> Tensor:  # shape: (B, N, taps, F)
    """Multiply ``x`` by the powers 0, ..., taps - 1 of a fixed sparse matrix."""
    result: Tensor = _powers(x, *matrix, *transpose, taps)
    return result


def horner(
    terms: Tensor,  # shape: (B, N, taps, F)
    matrix: tuple[Tensor, Tensor, Tensor],  # CSR of (N, N)
    transpose: tuple[Tensor, Tensor, Tensor],  # CSR of (N, N)
) -> Tensor:  # shape: (B, N, F)
    """Sum the terms, each multiplied by its power of a fixed sparse matrix."""
    result: Tensor = _horner(terms, *matrix, *transpose)
    return result
