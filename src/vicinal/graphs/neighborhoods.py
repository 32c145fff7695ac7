"""The nodes within 1, ..., K hops of every node, as one stack of CSR rows."""

import os
import sys
from dataclasses import dataclass

import torch
from torch import Tensor

from vicinal import kernels
from vicinal.graphs.arguments import check_integer, check_number
from vicinal.graphs.cost import estimate
from vicinal.graphs.pytree import register_record

__all__ = [
    "Neighborhoods",
    "khop",
    "memory_limit",
    "set_memory_limit",
    "whole_component",
]

_DEFAULT_LIMIT = 4 * 2**30


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
    check_number("num_bytes", num_bytes)
    if not num_bytes > 0:
        raise ValueError(f"`num_bytes` must be positive, got {num_bytes}")
    _limit = min(num_bytes, sys.maxsize)


def _limit_from_environment() -> float:
    text = os.environ.get("VICINAL_MEMORY_LIMIT", str(_DEFAULT_LIMIT))
    try:
        limit = float(text)
    except ValueError:
        limit = 0.0
    if not limit > 0:
        raise ValueError(
            f"`VICINAL_MEMORY_LIMIT` must be a positive number of bytes, got {text!r}"
        )
    return min(limit, sys.maxsize)


_limit = _limit_from_environment()


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
        for name, value, first, last in (
            ("node", node, 0, self.num_nodes - 1),
            ("hop", hop, 1, self.hops),
        ):
            check_integer(name, value)
            if not first <= value <= last:
                raise ValueError(f"`{name}` must be in {first}..{last}, got {value}")
        row = (hop - 1) * self.num_nodes + node
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

    def up_to(self, hops: int) -> "Neighborhoods":
        """The same neighbourhoods for hop counts 1, ..., ``hops`` only, as views."""
        check_hops(hops)
        if hops == self.hops:
            return self
        if hops > self.hops:
            raise ValueError(f"`hops` must be in 0..{self.hops}, got {hops}")
        indptr = self.indptr[: hops * self.num_nodes + 1]
        indices = self.indices[: self.ends[hops - 1] if hops else 0]
        return Neighborhoods(
            indptr, indices, self.num_nodes, self.ends[:hops], self.smallest
        )


def khop(
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    exact: bool = False,
) -> Neighborhoods:
    """Neighbourhoods that follow from CSR rows of in-neighbours.

    Within k hops: the support of :math:`(I + N)^k`. Exactly k hops: that of
    :math:`N^k`. Weights play no part, so that they never cancel.
    """
    num_nodes = indptr.numel() - 1
    rows = hops * num_nodes
    if hops > num_nodes:  # absurd, and already measuring it would take too much
        check_size(0 if exact else rows, rows, "at least")
    if hops > 1 and not exact:
        expected = estimate(indptr, indices, hops)
        check_size(expected.entries, rows, "about" if expected.sampled else "exactly")
    stack = kernels.balls(
        indptr, indices, hops, exact, lambda n: check_size(n, rows, "at least")
    )
    return _stacked(stack, num_nodes)


def whole_component(indptr: Tensor, indices: Tensor, hops: int) -> Neighborhoods:
    """The neighbourhoods that release 0.1 of the authors' code computed.

    One hop is right; for two hops and more it took every node that can be reached at
    all. Kept to test what the published results for K >= 2 may have measured.
    """
    num_nodes = indptr.numel() - 1

    def check(entries: int) -> None:
        check_size(entries * max(hops - 1, 1), hops * num_nodes, "at least")

    ends, found = kernels.balls(indptr, indices, 1, False, check)
    far_ends, far = kernels.reachable(indptr, indices, check)
    for _ in range(hops - 1):
        ends = torch.cat([ends, far_ends[1:] + ends[-1]])
        found = torch.cat([found, far])
    return _stacked((ends, found), num_nodes)


def _stacked(stack: tuple[Tensor, Tensor], num_nodes: int) -> Neighborhoods:
    indptr, indices = stack
    sizes = indptr.diff()
    smallest = int(sizes.min()) if sizes.numel() else num_nodes
    ends = tuple(indptr[num_nodes::num_nodes].tolist())
    return Neighborhoods(indptr, indices, num_nodes, ends, smallest)


def check_hops(hops: int, smallest: int = 0, largest: int | None = None) -> None:
    """Refuse what is no number of hops."""
    check_integer("hops", hops, smallest)
    if largest is not None and hops > largest:
        raise ValueError(f"`hops` must be at most {largest}, got {hops}")


def _shown(num_bytes: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if num_bytes < 1024:
            return f"{num_bytes:.4g} {unit}"
        num_bytes /= 1024
    return f"{num_bytes:.4g} GiB"


def check_size(entries: float, num_rows: int, known: str) -> None:
    """Refuse neighbourhoods that would not fit."""
    size = 4 * entries + 8 * num_rows
    if size > _limit:
        raise MemoryError(
            f"`hops` must give neighbourhoods within {_shown(_limit)}, got {known} "
            f"{_shown(size)}; use fewer hops, a sparser graph or raise the limit with "
            f"`vicinal.set_memory_limit(bytes)`"
        )


register_record(Neighborhoods, ["indptr", "indices"], ["num_nodes", "ends", "smallest"])
