"""The raw operators ``vicinal::*``: schemas, devices, checks, fake shapes, vmap.

They know nothing of gradients (see :mod:`vicinal.kernels.gradients`) and hold no loops
(see :mod:`vicinal.kernels.reference`). Checks run on every call, before any loop.
"""

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.library import Library

from vicinal.kernels import reference

__all__ = [
    "active_path",
    "maxima",
    "product",
    "select",
    "select_shared",
    "tie_mean",
    "tie_spread",
]

_FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
_INTEGERS = (torch.int32, torch.int64)
_CSR = "Tensor indptr, Tensor indices"
_PAIR = "(Tensor, Tensor)"
_TRANSPOSE = "Tensor t_indptr, Tensor t_indices, Tensor t_weight"
_SCHEMAS = {
    "select": f"(Tensor x, {_CSR}, int[] rank, bool skip_nan) -> {_PAIR}",
    "select_shared": f"(Tensor x, {_CSR}, int[] rank, bool skip_nan) -> {_PAIR}",
    "maxima": f"(Tensor x, {_CSR}, int hops, bool skip_nan) -> {_PAIR}",
    "tie_spread": f"(Tensor grad, Tensor x, Tensor values, {_CSR}) -> Tensor",
    "tie_mean": f"(Tensor t, Tensor x, Tensor values, {_CSR}) -> Tensor",
    "product": f"(Tensor x, {_CSR}, Tensor weight, {_TRANSPOSE}) -> Tensor",
}

_library = Library("vicinal", "DEF")
for _name, _schema in _SCHEMAS.items():
    _library.define(_name + _schema)

select = torch.ops.vicinal.select
select_shared = torch.ops.vicinal.select_shared
maxima = torch.ops.vicinal.maxima
tie_spread = torch.ops.vicinal.tie_spread
tie_mean = torch.ops.vicinal.tie_mean
product = torch.ops.vicinal.product


def active_path() -> str:
    """Which implementation serves the operators.

    Example:
        >>> active_path()
        'reference'
    """
    return "reference"


def check_csr(x: Tensor, indptr: Tensor, indices: Tensor, num_columns: int) -> None:
    """Refuse a CSR structure that a loop over it could not survive."""
    for name, array in (("indptr", indptr), ("indices", indices)):
        if array.dim() != 1 or array.dtype not in _INTEGERS:
            raise ValueError(
                f"`{name}` must be a vector of int32 or int64, "
                f"got {array.dtype} of shape {tuple(array.shape)}"
            )
        if array.device != x.device:
            raise ValueError(
                f"`{name}` must be on the device of `x` ({x.device}), got "
                f"{array.device}; move the graph with `graph.to(x.device)`"
            )
    if indptr.numel() == 0 or indptr[0] != 0 or indptr[-1] != indices.numel():
        raise ValueError(
            f"`indptr` must start at 0 and end at the number of indices "
            f"({indices.numel()}), got {_ends(indptr)}"
        )
    if (widths := indptr.diff()).numel() and widths.min() < 0:
        raise ValueError("`indptr` must never decrease, got a row of negative length")
    if indices.numel():
        _check_indices(indptr, indices, num_columns)


def _check_indices(indptr: Tensor, indices: Tensor, num_columns: int) -> None:
    low, high = (int(bound) for bound in indices.aminmax())
    if low < 0 or high >= num_columns:
        raise ValueError(
            f"`indices` must be node ids in 0..{num_columns - 1}, "
            f"got {low if low < 0 else high}"
        )
    rises = indices[1:] > indices[:-1]  # between neighbouring entries
    starts = indptr[1:-1]
    inner = starts[(starts > 0) & (starts < indices.numel())].long()
    rises[inner - 1] = True  # a new row may start anywhere
    if not rises.all():
        raise ValueError(
            "`indices` must increase within every row, got an unsorted or repeated id"
        )


def _ends(indptr: Tensor) -> str:
    return f"{int(indptr[0])} and {int(indptr[-1])}" if indptr.numel() else "nothing"


def _check_signal(x: Tensor, dims: int) -> None:
    if x.dim() != dims or x.dtype not in _FLOATS:
        raise ValueError(
            f"`x` must be a floating point tensor of {dims} dimensions, "
            f"got {x.dtype} of shape {tuple(x.shape)}"
        )


def _select(
    x: Tensor, indptr: Tensor, indices: Tensor, rank: list[int], skip_nan: bool
) -> tuple[Tensor, Tensor]:
    _check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    return reference.select(x, indptr, indices, rank, skip_nan)


def _maxima(
    x: Tensor, indptr: Tensor, indices: Tensor, hops: int, skip_nan: bool
) -> tuple[Tensor, Tensor]:
    _check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    if indptr.numel() != x.size(1) + 1:
        raise ValueError(
            f"`indptr` must have one row per node ({x.size(1)}), "
            f"got {indptr.numel() - 1}"
        )
    return reference.maxima(x, indptr, indices, hops, skip_nan)


def _tie_spread(
    grad: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    _check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    return reference.tie_spread(grad, x, values, indptr, indices)


def _tie_mean(
    t: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    _check_signal(x, 3)
    check_csr(x, indptr, indices, x.size(1))
    return reference.tie_mean(t, x, values, indptr, indices)


def _product(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    _check_signal(x, 2)
    check_csr(x, indptr, indices, x.size(0))
    if weight.shape != indices.shape:
        raise ValueError(
            f"`weight` must have one value per index ({indices.numel()}), "
            f"got shape {tuple(weight.shape)}"
        )
    return reference.product(x, indptr, indices, weight)


_IMPLEMENTATIONS: dict[str, Callable[..., Any]] = {
    "select": _select,
    "select_shared": _select,
    "maxima": _maxima,
    "tie_spread": _tie_spread,
    "tie_mean": _tie_mean,
    "product": _product,
}
for _name, _implementation in _IMPLEMENTATIONS.items():
    _library.impl(_name, _implementation, "CompositeExplicitAutograd")


@torch.library.register_fake("vicinal::select")
@torch.library.register_fake("vicinal::select_shared")
def _(
    x: Tensor, indptr: Tensor, indices: Tensor, rank: list[int], skip_nan: bool
) -> tuple[Tensor, Tensor]:
    shape = (x.size(0), indptr.size(0) - 1, x.size(2))
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int32)


@torch.library.register_fake("vicinal::maxima")
def _(
    x: Tensor, indptr: Tensor, indices: Tensor, hops: int, skip_nan: bool
) -> tuple[Tensor, Tensor]:
    shape = (x.size(0), hops * x.size(1), x.size(2))
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int32)


@torch.library.register_fake("vicinal::tie_spread")
def _(
    grad: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    return grad.new_empty(x.shape)


@torch.library.register_fake("vicinal::tie_mean")
def _(t: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor) -> Tensor:
    return t.new_empty(values.shape)


@torch.library.register_fake("vicinal::product")
def _(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    return x.new_empty(indptr.size(0) - 1, x.size(1))


def _fold(tensor: Tensor, dim: int | None, size: int) -> Tensor:
    """Move the mapped dimension of a ``(B, N, F)`` signal into its batch."""
    mapped = (
        tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)
    )
    return mapped.flatten(0, 1)


def _map_selection(operator: Callable[..., Any]) -> Callable[..., Any]:
    def rule(info: Any, in_dims: Any, x: Tensor, *rest: Any) -> Any:
        values, nodes = operator(_fold(x, in_dims[0], info.batch_size), *rest)
        split = (info.batch_size, -1)
        return (values.unflatten(0, split), nodes.unflatten(0, split)), (0, 0)

    return rule


def _map_ties(operator: Callable[..., Any]) -> Callable[..., Any]:
    def rule(info: Any, in_dims: Any, *arguments: Any) -> Any:
        size = info.batch_size
        folded = [
            _fold(t, d, size) for t, d in zip(arguments[:3], in_dims, strict=False)
        ]
        result = operator(*folded, *arguments[3:])
        return result.unflatten(0, (size, -1)), 0

    return rule


def _map_product(
    info: Any, in_dims: Any, x: Tensor, *arrays: Tensor
) -> tuple[Tensor, int]:
    columns = x.movedim(in_dims[0], 1).flatten(1)  # (N, V * C)
    result = product(columns, *arrays)
    return result.unflatten(1, (info.batch_size, -1)), 1


torch.library.register_vmap("vicinal::select", _map_selection(select))
torch.library.register_vmap("vicinal::select_shared", _map_selection(select_shared))
torch.library.register_vmap("vicinal::maxima", _map_selection(maxima))
torch.library.register_vmap("vicinal::tie_spread", _map_ties(tie_spread))
torch.library.register_vmap("vicinal::tie_mean", _map_ties(tie_mean))
torch.library.register_vmap("vicinal::product", _map_product)

with warnings.catch_warnings():  # torch says "beta state" once a process: hear it here
    warnings.simplefilter("ignore", UserWarning)
    torch.sparse_csr_tensor([0, 0], [], [], (1, 1))
