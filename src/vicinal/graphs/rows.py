"""Rows: the record under a graph; what can be read off it, and its identity."""

import hashlib
from dataclasses import dataclass
from typing import Any

import scipy.sparse
import torch
from torch import Tensor

from vicinal.graphs import interop
from vicinal.graphs.arguments import check_choice
from vicinal.graphs.cost import Cost, estimate
from vicinal.graphs.edges import Orientation
from vicinal.graphs.neighborhoods import check_hops
from vicinal.graphs.outside import outside_transforms

__all__ = ["Rows"]

_MOST_HOPS = 10**6  # a table of more would not fit


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """CSR rows of in-neighbours with weights, in the forms other libraries read.

    Two are equal when nodes, edges and weights are, wherever they live.

    Example:
        >>> import vicinal as vc
        >>> edge = vc.Graph.from_edges([(0, 1)])
        >>> edge == vc.Graph.from_scipy(edge.to_scipy())
        True
    """

    indptr: Tensor  # shape: (num_nodes + 1,), int64
    indices: Tensor  # shape: (num_edges,), int32
    weight: Tensor  # shape: (num_edges,), float32 or float64

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self.indptr.numel() - 1

    @property
    def num_edges(self) -> int:
        """Number of directed edges, self loops included."""
        return self.indices.numel()

    @property
    def device(self) -> torch.device:
        """Where the graph lives."""
        return self.indices.device

    def to_edges(self) -> tuple[Tensor, Tensor]:
        """``edge_index`` of shape ``(2, E)``, ordered by target, and the weights.

        Example:
            >>> import vicinal as vc
            >>> vc.Graph.from_edges([(0, 1)]).to_edges()
            (tensor([[0],
                    [1]]), tensor([1.]))
        """
        target = torch.repeat_interleave(self.indptr.diff())
        return torch.stack([self.indices.long(), target]), self.weight.clone()

    def to_scipy(self, orientation: Orientation = "in") -> Any:
        """The weights as a SciPy CSR array, rows as ``orientation`` says."""
        check_choice("orientation", orientation, ("in", "out"))
        arrays = (t.cpu().numpy() for t in (self.weight, self.indices, self.indptr))
        size = (self.num_nodes, self.num_nodes)
        matrix = scipy.sparse.csr_array(tuple(arrays), shape=size, copy=True)
        return matrix if orientation == "in" else matrix.T.tocsr()

    def to_dense(self, orientation: Orientation = "in") -> Tensor:
        """The weights as a square tensor, rows as ``orientation`` says."""
        check_choice("orientation", orientation, ("in", "out"))
        edge_index, weight = self.to_edges()
        source, target = edge_index
        dense = weight.new_zeros(self.num_nodes, self.num_nodes)
        dense[target, source] = weight
        return dense if orientation == "in" else dense.T.contiguous()

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph`` with edge attribute ``weight``."""
        return interop.networkx_graph(self.num_nodes, *self.to_edges())

    def to_pyg(self) -> Any:
        """A PyG ``Data`` with ``edge_index`` and ``edge_weight`` (extra ``pyg``)."""
        return interop.pyg_data(self.num_nodes, *self.to_edges())

    def cpu_rows(self) -> tuple[Tensor, Tensor]:
        """Row pointers and ids in main memory."""
        return self.indptr.cpu(), self.indices.cpu()

    def cost(self, hops: int, features: int = 1, batch: int = 1) -> Cost:
        """Ball sizes, bytes and operations of local operators, before they are spent.

        Example:
            >>> import vicinal as vc
            >>> ring = vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
            >>> ring.cost(hops=2, features=4).mean_ball
            (2.0, 3.0)
        """
        check_hops(hops, largest=_MOST_HOPS)
        with outside_transforms():
            return estimate(*self.cpu_rows(), hops, features, batch)

    def content_hash(self) -> str:
        """SHA-256 of nodes, edges and weights."""
        digest = hashlib.sha256()
        with outside_transforms():
            for tensor in (self.indptr, self.indices, self.weight.double()):
                digest.update(tensor.cpu().contiguous().numpy().tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return self.content_hash() == other.content_hash()

    def __hash__(self) -> int:
        return int(self.content_hash()[:15], 16)

    def __repr__(self) -> str:
        return f"Graph(num_nodes={self.num_nodes}, num_edges={self.num_edges})"
