"""The nodes within 1, ..., K hops of every node, as one stack of CSR rows."""

import itertools
import os
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse
import torch
from torch import Tensor

from vicinal.graphs.cost import estimate
from vicinal.graphs.pytree import register_record

__all__ = [
    "Neighborhoods",
    "khop",
    "memory_limit",
    "set_memory_limit",
    "whole_component",
]

_BLOCK = 2**24  # entries of a boolean product made at once, a few hundred MB
_limit = float(os.environ.get("VICINAL_MEMORY_LIMIT", 4 * 2**30))


def memory_limit() -> int:
    """Bytes that stored neighbourhoods may take (4 GiB unless set).

    Example:
        >>> memory_limit() == 4 * 2**30
        True
    """
    return int(_limit)


def set_memory_limit(num_bytes: float) -> None:
    """Set the bytes that stored neighbourhoods may take, for this process.

    The environment variable ``VICINAL_MEMORY_LIMIT`` sets it from outside.

    Example:
        >>> set_memory_limit(4 * 2**30)
    """
    global _limit
    if isinstance(num_bytes, bool) or not isinstance(num_bytes, int | float):
        raise TypeError(f"`num_bytes` must be a number, got {type(num_bytes).__name__}")
    if not num_bytes > 0:
        raise ValueError(f"`num_bytes` must be positive, got {num_bytes}")
    _limit = num_bytes


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """Neighbourhoods of all nodes for hop counts 1, ..., ``hops``.

    Row ``(k - 1) * num_nodes + i`` lists the nodes of the k-hop neighbourhood of node
    ``i`` in increasing order; ``ends[k - 1]`` is the number of entries up to hop ``k``.

    Example:
        >>> import vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 2)], num_nodes=3)
        >>> path.neighborhoods(hops=2).of(node=2, hop=2)
        tensor([0, 1, 2], dtype=torch.int32)
        >>> path.neighborhoods(hops=2, exact=True).of(node=2, hop=2)
        tensor([0], dtype=torch.int32)
    """

    indptr: Tensor  # shape: (hops * num_nodes + 1,), int64
    indices: Tensor  # shape: (nnz,), int32
    num_nodes: int
    ends: tuple[int, ...]
    smallest: int  # number of nodes of the smallest neighbourhood

    @property
    def hops(self) -> int:
        """Largest hop count."""
        return len(self.ends)

    def of(self, node: int, hop: int) -> Tensor:
        """Ids in the ``hop``-hop neighbourhood of ``node``."""
        row = (hop - 1) * self.num_nodes + node
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

    def up_to(self, hops: int) -> "Neighborhoods":
        """The same neighbourhoods for hop counts 1, ..., ``hops`` only, as views."""
        if hops == self.hops:
            return self
        indptr = self.indptr[: hops * self.num_nodes + 1]
        indices = self.indices[: self.ends[hops - 1] if hops else 0]
        return Neighborhoods(
            indptr, indices, self.num_nodes, self.ends[:hops], self.smallest
        )


def khop(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    hops: int,
    exact: bool = False,
) -> Neighborhoods:
    """Neighbourhoods that follow from CSR rows of in-neighbours.

    Within k hops: the support of :math:`(I + N)^k`. Exactly k hops: that of
    :math:`N^k`. Products are boolean, so that weights never cancel.
    """
    num_nodes = len(indptr) - 1
    if hops > 1 and not exact:
        expected = estimate(indptr, indices, hops)
        entries = sum(expected.mean_ball) * num_nodes
        check_size(
            entries, hops * num_nodes, "about" if expected.sampled else "exactly"
        )
    step = _boolean(indptr, indices)
    if not exact:
        step = _with_diagonal(step)
    steps = [step]
    total = step.nnz
    for _ in range(hops - 1):
        steps.append(_reach(steps[-1], step, total))
        total += steps[-1].nnz
    return stack(steps[:hops], num_nodes)


def whole_component(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], hops: int
) -> Neighborhoods:
    """The neighbourhoods that release 0.1 of the authors' code computed.

    One hop is right; for two hops and more it took every node that can be reached at
    all. Kept to test what the published results for K >= 2 may have measured.
    """
    num_nodes = len(indptr) - 1
    step = reach = _with_diagonal(_boolean(indptr, indices))
    while (wider := _reach(reach, step, 0)).nnz > reach.nnz:
        reach = wider
    return stack([step] + [reach] * (hops - 1), num_nodes)


def stack(steps: list[scipy.sparse.csr_array], num_nodes: int) -> Neighborhoods:
    """Put one boolean matrix per hop count on top of each other."""
    ends = np.cumsum([0] + [step.nnz for step in steps])
    starts = [
        step.indptr[:-1].astype(np.int64) + offset
        for step, offset in zip(steps, ends, strict=False)
    ]
    indptr = np.concatenate([*starts, ends[-1:]])
    indices = np.concatenate([np.zeros(0, np.int32), *(s.indices for s in steps)])
    return Neighborhoods(
        torch.from_numpy(indptr),
        torch.from_numpy(indices.astype(np.int32)),
        num_nodes,
        tuple(ends[1:].tolist()),
        int(np.diff(indptr).min(initial=num_nodes)),
    )


def check_hops(hops: int, smallest: int = 0) -> None:
    """Refuse what is no number of hops."""
    if isinstance(hops, bool) or not isinstance(hops, int):
        raise TypeError(f"`hops` must be an integer, got {type(hops).__name__}")
    if hops < smallest:
        raise ValueError(f"`hops` must be at least {smallest}, got {hops}")


def check_size(entries: float, num_rows: int, known: str) -> None:
    """Refuse neighbourhoods that would not fit."""
    size = 4 * entries + 8 * num_rows
    if size > _limit:
        raise MemoryError(
            f"`hops` must give neighbourhoods within {_limit / 2**30:.2f} GiB, got "
            f"{known} {size / 2**30:.2f} GiB; use fewer hops, a sparser graph or raise "
            f"the limit with `vicinal.set_memory_limit(bytes)`"
        )


def _boolean(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32]
) -> scipy.sparse.csr_array:
    size = (len(indptr) - 1, len(indptr) - 1)
    data = np.ones(len(indices), dtype=np.bool_)
    return scipy.sparse.csr_array((data, indices, indptr), shape=size)


def _with_diagonal(step: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    identity = scipy.sparse.eye_array(step.shape[0], dtype=np.bool_, format="csr")
    both = scipy.sparse.csr_array(step + identity)
    both.sort_indices()
    return both


def _reach(
    reach: scipy.sparse.csr_array, step: scipy.sparse.csr_array, stored: int
) -> scipy.sparse.csr_array:
    """One hop further, a block of rows at a time, checked against the limit."""
    work = np.concatenate([[0], np.cumsum(reach @ np.diff(step.indptr))])
    cuts = np.searchsorted(work, np.arange(0, work[-1] + _BLOCK, _BLOCK))
    cuts = np.unique(np.append(cuts, reach.shape[0]).clip(max=reach.shape[0]))
    blocks = []
    for begin, end in itertools.pairwise(cuts):
        block = scipy.sparse.csr_array(reach[begin:end] @ step)
        block.sort_indices()
        blocks.append(block)
        stored += block.nnz
        check_size(stored, step.shape[0], "at least")
    return scipy.sparse.csr_array(scipy.sparse.vstack(blocks, format="csr"))


register_record(Neighborhoods, ["indptr", "indices"], ["num_nodes", "ends", "smallest"])
