"""From edge lists and matrices, in the forms users hold them, to checked rows."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse
import torch
from torch import Tensor

from vicinal.graphs.arguments import check_choice, check_flag, check_integer

__all__ = [
    "Duplicates",
    "Orientation",
    "csr_from_edges",
    "csr_from_matrix",
    "csr_from_scipy",
    "order_of",
]

Duplicates = Literal["raise", "sum"]
Orientation = Literal["in", "out"]
Rows = tuple[Tensor, Tensor, Tensor]  # indptr, indices, weight


def csr_from_edges(
    edges: Any,
    num_nodes: int | None,
    weight: Any,
    duplicates: Duplicates,
    self_loops: bool,
) -> Rows:
    """Sort edges ``source -> target`` into rows by target, checked."""
    check_flag("self_loops", self_loops)
    source, target = _ends(edges)
    num_nodes = _node_count(num_nodes, source, target)
    weights = _weights(weight, len(source))
    if not self_loops:
        kept = source != target
        source, target, weights = source[kept], target[kept], weights[kept]
    order = np.lexsort((source, target))
    source, target, weights = source[order], target[order], weights[order]
    source, target, weights = _merged(source, target, weights, duplicates)
    counts = np.bincount(target, minlength=num_nodes)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return (
        torch.from_numpy(indptr),
        torch.from_numpy(source.astype(np.int32)),
        torch.from_numpy(weights),
    )


def csr_from_matrix(matrix: Any, orientation: Orientation, self_loops: bool) -> Rows:
    """Read rows off a dense or SciPy matrix; zeros are no edges."""
    check_choice("orientation", orientation, ("in", "out"))
    if not scipy.sparse.issparse(matrix):
        matrix = _array("matrix", matrix)
    _check_numbers("matrix", matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`matrix` must be square, got shape {tuple(matrix.shape)}")
    found = scipy.sparse.coo_array(matrix)
    _check_finite("matrix", found.data)
    found.sum_duplicates()
    nonzero = found.data != 0
    row, column = (axis[nonzero] for axis in found.coords)
    source, target = (column, row) if orientation == "in" else (row, column)
    edges = np.stack([source, target]).astype(np.int64)
    return csr_from_edges(
        edges, matrix.shape[0], found.data[nonzero], "raise", self_loops
    )


def csr_from_scipy(matrix: Any, orientation: Orientation, self_loops: bool) -> Rows:
    """Read rows off what must be a SciPy sparse matrix."""
    if not scipy.sparse.issparse(matrix):
        raise TypeError(
            f"`matrix` must be a SciPy sparse matrix, got {type(matrix).__name__}; "
            "use `Graph.from_dense` for arrays"
        )
    return csr_from_matrix(matrix, orientation, self_loops)


def order_of(order: Any, num_nodes: int) -> Tensor:
    """A permutation of all nodes, checked."""
    try:
        found = torch.as_tensor(order)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(
            f"`order` must list integers, got {type(order).__name__}"
        ) from None
    integers = found.dtype in (torch.int32, torch.int64)
    everyone = torch.arange(num_nodes, device=found.device)
    fits = integers and found.shape == everyone.shape
    if not fits or not found.sort().values.long().equal(everyone):
        raise ValueError(
            f"`order` must hold each of 0..{num_nodes - 1} once, "
            f"got {found.dtype} of shape {tuple(found.shape)}"
        )
    return found.long()


def _array(name: str, data: Any) -> npt.NDArray[Any]:
    """Numbers of any kind as an array that SciPy takes."""
    if isinstance(data, Tensor):
        if data.requires_grad:
            raise ValueError(
                f"`{name}` must not require a gradient, got one that does: the graph "
                f"is not trained; pass `{name}.detach()`"
            )
        half = data.dtype in (torch.float16, torch.bfloat16)
        return _numpy(name, data.float() if half else data)
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(
            f"`{name}` must be square or flat, got rows of unequal length"
        ) from None
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _numpy(name: str, tensor: Tensor) -> npt.NDArray[Any]:
    if tensor.layout != torch.strided or tensor.is_meta:
        got = "one without data" if tensor.is_meta else tensor.layout
        raise TypeError(f"`{name}` must be a dense tensor, got {got}")
    return np.asarray(tensor.detach().cpu().numpy())


def _check_numbers(name: str, array: Any) -> None:
    if array.dtype.kind not in "biuf":
        raise TypeError(f"`{name}` must hold numbers, got dtype {array.dtype}")


def _check_finite(name: str, array: npt.NDArray[Any]) -> None:
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)][0]
        raise ValueError(f"`{name}` must be finite, got {bad}")


def _ends(edges: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Source and target row of a tensor, an array or an iterable of pairs."""
    if isinstance(edges, Tensor):
        array = _numpy("edges", edges)
    elif isinstance(edges, np.ndarray):
        array = edges
    elif isinstance(edges, Iterable) and not isinstance(edges, str | bytes):
        array = _pairs(edges).T
    else:
        raise TypeError(
            f"`edges` must be a tensor, an array or pairs, got {type(edges).__name__}"
        )
    if array.ndim != 2 or array.shape[0] != 2:
        raise ValueError(
            f"`edges` must have shape (2, edges), source row and target row, got "
            f"{tuple(array.shape)}; a list of pairs is read as (source, target)"
        )
    if array.dtype.kind not in "iu":
        raise TypeError(f"`edges` must hold integers, got dtype {array.dtype}")
    return array[0].astype(np.int64), array[1].astype(np.int64)


def _pairs(edges: Iterable[Any]) -> npt.NDArray[Any]:
    listed = list(edges)
    if not listed:
        return np.zeros((0, 2), dtype=np.int64)
    try:
        array = np.array(listed)
    except ValueError:
        array = np.zeros(0)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(
            f"`edges` must be pairs (source, target), got {listed[0]!r} first"
        )
    return array


def _node_count(
    num_nodes: int | None,
    source: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
) -> int:
    low = min(source.min(initial=0), target.min(initial=0))
    high = max(source.max(initial=-1), target.max(initial=-1))
    if num_nodes is None:
        num_nodes = max(int(high) + 1, int(low < 0))
    check_integer("num_nodes", num_nodes)
    if not 1 <= num_nodes < 2**31:
        raise ValueError(f"`num_nodes` must be in 1..2^31-1, got {num_nodes}")
    if low < 0 or high >= num_nodes:
        raise ValueError(
            f"`edges` must name nodes in 0..{num_nodes - 1}, "
            f"got {low if low < 0 else high}"
        )
    return int(num_nodes)


def _weights(weight: Any, num_edges: int) -> npt.NDArray[Any]:
    if weight is None:
        return np.ones(num_edges, dtype=np.float32)
    array = _array("weight", weight)
    _check_numbers("weight", array)
    if array.shape != (num_edges,):
        raise ValueError(
            f"`weight` must have one value per edge, shape ({num_edges},), "
            f"got {array.shape}"
        )
    _check_finite("weight", array)
    return array.astype(np.float64 if array.dtype == np.float64 else np.float32)


def _merged(
    source: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
    weight: npt.NDArray[Any],
    duplicates: Duplicates,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Sum parallel edges, or refuse them."""
    check_choice("duplicates", duplicates, ("raise", "sum"))
    first = np.ones(len(source), dtype=bool)
    first[1:] = (np.diff(source) != 0) | (np.diff(target) != 0)
    if first.all():
        return source, target, weight
    if duplicates == "raise":
        at = int(np.argmin(first))
        raise ValueError(
            f"`edges` must not repeat an edge, got {source[at]} -> {target[at]} twice; "
            "pass duplicates='sum' to add the weights"
        )
    with np.errstate(over="ignore"):
        summed = np.add.reduceat(weight, np.flatnonzero(first))
    if not np.isfinite(summed).all():
        raise ValueError("`weight` must be finite when parallel edges are summed")
    return source[first], target[first], summed
