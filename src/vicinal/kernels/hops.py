"""The nodes within (or at exactly) 1, ..., K hops of every node, as stacked CSR rows.

Native code explores node by node; the twin in SciPy multiplies boolean matrices. Both
see only which entries are there: signed weights never cancel.
"""

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.sparse
import torch
from torch import Tensor

from vicinal.kernels import native
from vicinal.kernels.path import uses_native

__all__ = ["ball_sizes", "balls", "reachable"]

Check = Callable[[int], None]
_BLOCK = 2**24  # entries of a boolean product made at once, a few hundred MB


def balls(
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    exact: bool,
    check: Check,
) -> tuple[Tensor, Tensor]:  # shapes: (hops * N + 1,), (entries,)
    """Support of (I + N)^k, or of N^k if ``exact``, for k = 1, ..., ``hops``.

    ``check`` is told the number of entries before they are stored, and may raise.
    """
    if uses_native(indptr) and hops > 1:
        return native.balls(indptr, indices, hops, exact, check)
    step = _boolean(indptr, indices, diagonal=not exact)  # one hop needs no search
    check(hops and step.nnz)
    steps: list[scipy.sparse.csr_array] = []
    for _ in range(hops):
        stored = sum(matrix.nnz for matrix in steps)
        steps.append(_reach(steps[-1], step, stored, check) if steps else step)
    return _stacked(steps)


def reachable(indptr: Tensor, indices: Tensor, check: Check) -> tuple[Tensor, Tensor]:
    """For every node all nodes that lead to it, itself included."""
    step = reach = _boolean(indptr, indices, diagonal=True)
    while (wider := _reach(reach, step, 0, check)).nnz > reach.nnz:
        reach = wider
    return _stacked([reach])


def ball_sizes(
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    centers: Tensor,  # shape: (C,), int32
) -> Tensor:  # shape: (hops, C)
    """Number of nodes within 1, ..., ``hops`` hops of the centers, unstored."""
    if uses_native(indptr):
        return native.ball_sizes(indptr, indices, hops, False, centers)
    rows = indptr.numpy(), indices.numpy()
    seen = np.full(indptr.numel() - 1, -1)
    sizes = [_explored(*rows, node, hops, seen) for node in centers.tolist()]
    return torch.tensor(sizes, dtype=torch.int64).view(centers.numel(), hops).T


def _explored(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    node: int,
    hops: int,
    seen: npt.NDArray[np.int64],  # shape: (N,); scratch, marks nodes already met
) -> list[int]:
    seen[node] = node
    frontier = np.array([node])
    size, sizes = 1, []
    for _ in range(hops):
        rows = [indices[indptr[i] : indptr[i + 1]] for i in frontier]
        found = np.unique(np.concatenate(rows)) if rows else frontier
        frontier = found[seen[found] != node]
        seen[frontier] = node
        size += len(frontier)
        sizes.append(size)
    return sizes


def _boolean(indptr: Tensor, indices: Tensor, diagonal: bool) -> scipy.sparse.csr_array:
    size = (indptr.numel() - 1, indptr.numel() - 1)
    data = np.ones(indices.numel(), dtype=np.bool_)
    step = scipy.sparse.csr_array((data, indices.numpy(), indptr.numpy()), shape=size)
    if diagonal:
        identity = scipy.sparse.eye_array(size[0], dtype=np.bool_, format="csr")
        step = scipy.sparse.csr_array(step + identity)
    step.sort_indices()
    return step


def _reach(
    reach: scipy.sparse.csr_array,
    step: scipy.sparse.csr_array,
    stored: int,
    check: Check,
) -> scipy.sparse.csr_array:
    """One hop further, a block of rows at a time."""
    work = np.concatenate([[0], np.cumsum(reach @ np.diff(step.indptr))])
    cuts = np.searchsorted(work, np.arange(0, work[-1] + _BLOCK, _BLOCK))
    cuts = np.unique(np.append(cuts, reach.shape[0]).clip(max=reach.shape[0]))
    blocks = []
    for begin, end in itertools.pairwise(cuts):
        block = scipy.sparse.csr_array(reach[begin:end] @ step)
        block.sort_indices()
        blocks.append(block)
        stored += block.nnz
        check(stored)
    return scipy.sparse.csr_array(scipy.sparse.vstack(blocks, format="csr"))


def _stacked(steps: list[scipy.sparse.csr_array]) -> tuple[Tensor, Tensor]:
    """Put one boolean matrix per hop count on top of each other."""
    ends = np.cumsum([0] + [step.nnz for step in steps])
    starts = [
        step.indptr[:-1].astype(np.int64) + offset
        for step, offset in zip(steps, ends, strict=False)
    ]
    indptr = np.concatenate([*starts, ends[-1:]])
    indices = np.concatenate([np.zeros(0, np.int32), *(s.indices for s in steps)])
    return torch.from_numpy(indptr), torch.from_numpy(indices.astype(np.int32))
