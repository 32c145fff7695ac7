"""The raw operators ``vicinal::*``: checks on every call, choice of loops."""

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from vicinal.kernels import native, reference, ties
from vicinal.kernels.checks import (
    check_csr,
    check_entries,
    check_hops,
    check_nodes,
    check_rank,
    check_shape,
    check_signal,
    check_square,
    check_weight,
)
from vicinal.kernels.hops import balls
from vicinal.kernels.path import serving, uses_native
from vicinal.kernels.schemas import library

__all__ = [
    "combine",
    "combine_backward",
    "combine_balls",
    "combine_maxima",
    "gather",
    "horner",
    "maxima",
    "powers",
    "product",
    "scatter",
    "select",
    "select_balls",
    "select_shared",
    "tie_mean",
    "tie_spread",
]

Pair = tuple[Tensor, Tensor]

select = torch.ops.vicinal.select
select_shared = torch.ops.vicinal.select_shared
select_balls = torch.ops.vicinal.select_balls
maxima = torch.ops.vicinal.maxima
combine = torch.ops.vicinal.combine
combine_balls = torch.ops.vicinal.combine_balls
combine_maxima = torch.ops.vicinal.combine_maxima
combine_backward = torch.ops.vicinal.combine_backward
gather = torch.ops.vicinal.gather
scatter = torch.ops.vicinal.scatter
tie_spread = torch.ops.vicinal.tie_spread
tie_mean = torch.ops.vicinal.tie_mean
product = torch.ops.vicinal.product
powers = torch.ops.vicinal.powers
horner = torch.ops.vicinal.horner


def _implement(loop: Callable[..., Any]) -> Callable[..., Any]:
    name = loop.__name__.removeprefix("_")
    library.impl(name, loop, "CompositeExplicitAutograd")
    return loop


@_implement
def _select(
    x: Tensor, indptr: Tensor, indices: Tensor, rank: list[int], skip_nan: bool
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_rank(rank)
    found: Pair = serving(x).select(x, indptr, indices, rank, skip_nan)
    return found


library.impl("select_shared", _select, "CompositeExplicitAutograd")


@_implement
def _select_balls(
    x: Tensor,
    indptr: Tensor,
    indices: Tensor,
    hops: int,
    rank: list[int],
    skip_nan: bool,
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_square(x, indptr)
    check_rank(rank)
    check_hops(hops)
    if uses_native(x):
        return native.select_balls(x, indptr, indices, hops, rank, skip_nan)
    stored = _stored_balls(x, indptr, indices, hops)
    return reference.select(x, *stored, rank, skip_nan)


@_implement
def _maxima(
    x: Tensor, indptr: Tensor, indices: Tensor, hops: int, skip_nan: bool
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_square(x, indptr)
    check_hops(hops)
    found: Pair = serving(x).maxima(x, indptr, indices, hops, skip_nan)
    return found


@_implement
def _combine(
    x: Tensor,
    weight: Tensor,
    indptr: Tensor,
    indices: Tensor,
    rank: list[int],
    skip_nan: bool,
    keep_nodes: bool,
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_weight(x, weight, indptr.numel() - 1)
    check_rank(rank)
    loops = _loops_without_half(x)
    found: Pair = loops.combine(x, weight, indptr, indices, rank, skip_nan, keep_nodes)
    return found


@_implement
def _combine_balls(
    x: Tensor,
    weight: Tensor,
    indptr: Tensor,
    indices: Tensor,
    rank: list[int],
    skip_nan: bool,
    keep_nodes: bool,
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_square(x, indptr)
    hops = _hops_of(weight)
    check_weight(x, weight, hops * x.size(1))
    check_rank(rank)
    if _loops_without_half(x) is native:
        return native.combine(
            x, weight, indptr, indices, rank, skip_nan, keep_nodes, on_the_fly=True
        )
    stored = _stored_balls(x, indptr, indices, hops)
    return reference.combine(x, weight, *stored, rank, skip_nan, keep_nodes)


@_implement
def _combine_maxima(
    x: Tensor,
    weight: Tensor,
    indptr: Tensor,
    indices: Tensor,
    skip_nan: bool,
    keep_nodes: bool,
) -> Pair:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_square(x, indptr)
    check_weight(x, weight, _hops_of(weight) * x.size(1))
    loops = _loops_without_half(x)
    found: Pair = loops.combine_maxima(x, weight, indptr, indices, skip_nan, keep_nodes)
    return found


@_implement
def _combine_backward(grad: Tensor, x: Tensor, weight: Tensor, nodes: Tensor) -> Pair:
    check_signal(x, 3)
    check_shape("grad", grad, tuple(x.shape))
    check_nodes(nodes, x.size(0), x.size(2), x.size(1))
    check_weight(x, weight, nodes.size(1))
    loops = _loops_without_half(x)
    found: Pair = loops.combine_backward(grad, x, weight, nodes)
    return found


@_implement
def _gather(x: Tensor, nodes: Tensor) -> Tensor:
    check_signal(x, 3)
    check_nodes(nodes, x.size(0), x.size(2), x.size(1))
    found: Tensor = serving(x).gather(x, nodes)
    return found


@_implement
def _scatter(grad: Tensor, nodes: Tensor, num_nodes: int) -> Tensor:
    check_signal(grad, 3)
    check_nodes(nodes, grad.size(0), grad.size(2), num_nodes)
    check_shape("nodes", nodes, tuple(grad.shape))
    found: Tensor = serving(grad).scatter(grad, nodes, num_nodes)
    return found


@_implement
def _tie_spread(
    grad: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    rows = (x.size(0), indptr.numel() - 1, x.size(2))
    check_shape("values", values, rows)
    check_shape("grad", grad, rows)
    return ties.tie_spread(grad, x, values, indptr, indices)


@_implement
def _tie_mean(
    t: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_shape("values", values, (x.size(0), indptr.numel() - 1, x.size(2)))
    check_shape("t", t, tuple(x.shape))
    return ties.tie_mean(t, x, values, indptr, indices)


@_implement
def _product(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    check_signal(x, 2)
    check_csr(x, indptr, indices, x.size(0))
    check_entries(x, indices, weight)
    found: Tensor = serving(x).product(x, indptr, indices, weight)
    return found


@_implement
def _powers(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *rest: Any
) -> Tensor:
    taps = rest[-1]  # behind the transpose
    check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    check_square(x, indptr)
    check_entries(x, indices, weight)
    if taps < 1:
        raise ValueError(f"`taps` must be at least 1, got {taps}")
    found: Tensor = serving(x).powers(x, indptr, indices, weight, taps)
    return found


@_implement
def _horner(
    terms: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    check_signal(terms, 4)
    check_csr(terms, indptr, indices, terms.size(1))
    check_square(terms, indptr)
    check_entries(terms, indices, weight)
    if terms.size(2) < 1:
        raise ValueError("`terms` must hold at least one tap, got none")
    found: Tensor = serving(terms).horner(terms, indptr, indices, weight)
    return found


def _hops_of(weight: Tensor) -> int:
    return weight.size(0) - 1 if weight.dim() else -1


def _stored_balls(x: Tensor, indptr: Tensor, indices: Tensor, hops: int) -> Pair:
    """Balls for loops that cannot find them on the fly."""
    ends, found = balls(indptr.cpu(), indices.cpu(), hops, False, lambda entries: None)
    return ends.to(x.device), found.to(x.device)


def _loops_without_half(x: Tensor) -> Any:
    """Combinations round in between, so that half precision stays with torch."""
    half = x.dtype in (torch.float16, torch.bfloat16)
    return reference if half else serving(x)


with warnings.catch_warnings():  # torch says "beta state" once a process: hear it here
    warnings.simplefilter("ignore", UserWarning)
    torch.sparse_csr_tensor([0, 0], [], [], (1, 1))
