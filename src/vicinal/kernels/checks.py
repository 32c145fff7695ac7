"""What the operators refuse, on every call, before any loop."""

import torch
from torch import Tensor

from vicinal.kernels import native
from vicinal.kernels.path import uses_native
from vicinal.kernels.rank import LARGEST_DENOMINATOR

__all__ = [
    "check_csr",
    "check_device",
    "check_entries",
    "check_hops",
    "check_nodes",
    "check_rank",
    "check_shape",
    "check_signal",
    "check_square",
    "check_weight",
]

_FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
_INTEGERS = (torch.int32, torch.int64)


def check_signal(x: Tensor, dims: int) -> None:
    """Refuse what is no floating point tensor of so many dimensions."""
    if x.dim() != dims or x.dtype not in _FLOATS:
        raise ValueError(
            f"`x` must be a floating point tensor of {dims} dimensions, "
            f"got {x.dtype} of shape {tuple(x.shape)}"
        )


def check_weight(x: Tensor, weight: Tensor, rows: int) -> None:
    """Refuse weights that do not fit a stack of so many rows."""
    hops = weight.size(0) - 1 if weight.dim() in (1, 2) else -1
    fits = hops >= 0 and rows == hops * x.size(1)
    if not fits or (weight.dim() == 2 and weight.size(1) != x.size(2)):
        raise ValueError(
            f"`weight` must have shape (hops + 1,) or (hops + 1, {x.size(2)}) for "
            f"{rows} rows of {x.size(1)} nodes, got {tuple(weight.shape)}"
        )
    if weight.dtype != x.dtype:
        raise ValueError(f"`weight` must be {x.dtype} as `x`, got {weight.dtype}")


def check_nodes(nodes: Tensor, batch: int, features: int, num_nodes: int) -> None:
    """Refuse selected nodes that point outside the signal."""
    if nodes.dim() != 3 or nodes.dtype not in _INTEGERS:
        raise ValueError(
            f"`nodes` must be integers of shape (batch, rows, features), "
            f"got {nodes.dtype} of shape {tuple(nodes.shape)}"
        )
    if (nodes.size(0), nodes.size(2)) != (batch, features):
        raise ValueError(
            f"`nodes` must have shape ({batch}, rows, {features}), "
            f"got {tuple(nodes.shape)}"
        )
    fast = uses_native(nodes) and nodes.dtype == torch.int32
    if fast and native.are_nodes(nodes, num_nodes):
        return
    if nodes.numel():
        low, high = (int(bound) for bound in nodes.aminmax())
        if low < -1 or high >= num_nodes:
            raise ValueError(
                f"`nodes` must be in -1..{num_nodes - 1}, "
                f"got {low if low < -1 else high}"
            )


def check_device(name: str, tensor: Tensor, x: Tensor) -> None:
    """Refuse a tensor that is not where the signal is."""
    if tensor.device != x.device:
        raise ValueError(
            f"`{name}` must be on the device of `x` ({x.device}), got "
            f"{tensor.device}; move the graph with `graph.to(x.device)`"
        )


def check_rank(rank: list[int]) -> None:
    """Refuse a rank rule that could point outside a row."""
    if len(rank) == 3:
        numerator, offset, denominator = rank
        inside = 0 <= numerator <= denominator and 0 <= offset < denominator
        if inside and denominator <= LARGEST_DENOMINATOR:
            return
    raise ValueError(
        "`rank` must be (numerator, offset, denominator) with 0 <= numerator <= "
        f"denominator <= 10^9 and 0 <= offset < denominator, got {rank}"
    )


def check_hops(hops: int) -> None:
    """Refuse a number of hops that is negative or beyond any graph."""
    if hops < 0:
        raise ValueError(f"`hops` must be at least 0, got {hops}")
    if hops >= 2**31:
        raise ValueError(f"`hops` must be less than 2^31, got {hops}")


def check_shape(name: str, tensor: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse a tensor of another shape."""
    if tuple(tensor.shape) != shape:
        raise ValueError(f"`{name}` must have shape {shape}, got {tuple(tensor.shape)}")


def check_csr(x: Tensor, indptr: Tensor, indices: Tensor, num_columns: int) -> None:
    """Refuse a CSR structure that a loop over it could not survive."""
    for name, array in (("indptr", indptr), ("indices", indices)):
        if array.dim() != 1 or array.dtype not in _INTEGERS:
            raise ValueError(
                f"`{name}` must be a vector of int32 or int64, "
                f"got {array.dtype} of shape {tuple(array.shape)}"
            )
        check_device(name, array, x)
    fast = uses_native(x) and indices.dtype == torch.int32
    if not fast or not native.check_csr(indptr, indices, num_columns):
        _explain(indptr, indices, num_columns)


def check_square(x: Tensor, indptr: Tensor) -> None:
    """Refuse a structure that has not one row per node."""
    if indptr.numel() != x.size(1) + 1:
        raise ValueError(
            f"`indptr` must have one row per node ({x.size(1)}), "
            f"got {indptr.numel() - 1}"
        )


def check_entries(x: Tensor, indices: Tensor, weight: Tensor) -> None:
    """Refuse a sparse matrix that has not one value per index."""
    if weight.shape != indices.shape:
        raise ValueError(
            f"`weight` must have one value per index ({indices.numel()}), "
            f"got shape {tuple(weight.shape)}"
        )
    check_device("weight", weight, x)


def _explain(indptr: Tensor, indices: Tensor, num_columns: int) -> None:
    """The same checks in plain torch, which say what is wrong."""
    if indptr.numel() == 0 or indptr[0] != 0 or indptr[-1] != indices.numel():
        raise ValueError(
            f"`indptr` must start at 0 and end at the number of indices "
            f"({indices.numel()}), got {_ends(indptr)}"
        )
    if (widths := indptr.diff()).numel() and widths.min() < 0:
        raise ValueError("`indptr` must never decrease, got a row of negative length")
    if indices.numel() == 0:
        return
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
