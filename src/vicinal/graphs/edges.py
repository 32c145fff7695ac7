"""From edge lists and matrices, in the forms users hold them, to checked rows."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse
import torch
from torch import Tensor

__all__ = ["Duplicates", "Orientation", "csr_from_edges", "csr_from_matrix"]

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
    if orientation not in ("in", "out"):
        raise ValueError(f"`orientation` must be 'in' or 'out', got {orientation!r}")
    if isinstance(matrix, Tensor):
        matrix = matrix.detach().cpu().numpy()
    if not scipy.sparse.issparse(matrix):
        matrix = np.asarray(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`matrix` must be square, got shape {tuple(matrix.shape)}")
    if matrix.dtype.kind not in "biuf":
        raise TypeError(f"`matrix` must hold numbers, got dtype {matrix.dtype}")
    found = scipy.sparse.coo_array(matrix)
    found.sum_duplicates()
    nonzero = found.data != 0
    row, column = (axis[nonzero] for axis in found.coords)
    source, target = (column, row) if orientation == "in" else (row, column)
    edges = np.stack([source, target]).astype(np.int64)
    return csr_from_edges(
        edges, matrix.shape[0], found.data[nonzero], "raise", self_loops
    )


def _ends(edges: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Source and target row of a tensor, an array or an iterable of pairs."""
    if isinstance(edges, Tensor):
        array = edges.detach().cpu().numpy()
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
    if low < 0:
        raise ValueError(f"`edges` must name nodes by numbers from 0 on, got {low}")
    if num_nodes is None:
        num_nodes = int(high) + 1
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer):
        raise TypeError(
            f"`num_nodes` must be an integer, got {type(num_nodes).__name__}"
        )
    if not 1 <= num_nodes < 2**31:
        raise ValueError(f"`num_nodes` must be in 1..2^31-1, got {num_nodes}")
    if high >= num_nodes:
        raise ValueError(f"`edges` must name nodes in 0..{num_nodes - 1}, got {high}")
    return int(num_nodes)


def _weights(weight: Any, num_edges: int) -> npt.NDArray[Any]:
    if weight is None:
        return np.ones(num_edges, dtype=np.float32)
    if isinstance(weight, Tensor):
        weight = weight.detach().cpu()
        weight = weight.float() if weight.dtype == torch.bfloat16 else weight
        weight = weight.numpy()
    array = np.asarray(weight)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"`weight` must hold numbers, got dtype {array.dtype}")
    if array.shape != (num_edges,):
        raise ValueError(
            f"`weight` must have one value per edge, shape ({num_edges},), "
            f"got {array.shape}"
        )
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)][0]
        raise ValueError(f"`weight` must be finite, got {bad}")
    return array.astype(np.float64 if array.dtype == np.float64 else np.float32)


def _merged(
    source: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
    weight: npt.NDArray[Any],
    duplicates: Duplicates,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Sum parallel edges, or refuse them."""
    if duplicates not in ("raise", "sum"):
        raise ValueError(f"`duplicates` must be 'raise' or 'sum', got {duplicates!r}")
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
    starts = np.flatnonzero(first)
    return source[first], target[first], np.add.reduceat(weight, starts)
