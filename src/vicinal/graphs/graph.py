"""Graph: an immutable directed weighted graph, its rows the edges that enter a node."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from vicinal.graphs import interop
from vicinal.graphs.arguments import check_choice, check_flag, check_floating
from vicinal.graphs.edges import (
    Duplicates,
    Orientation,
    csr_from_edges,
    csr_from_matrix,
    csr_from_scipy,
    order_of,
)
from vicinal.graphs.kept import Keepable, compute
from vicinal.graphs.neighborhoods import (
    Neighborhoods,
    check_hops,
    khop,
    memory_limit,
    whole_component,
)
from vicinal.graphs.pytree import map_tensors, register_record
from vicinal.graphs.rows import Rows
from vicinal.graphs.shifts import SHIFTS, shift_operator
from vicinal.graphs.sparse import SparseMatrix

__all__ = ["Graph"]


@dataclass(frozen=True, eq=False, repr=False)
class Graph(Rows):
    r"""A directed weighted graph in CSR form.

    Row :math:`i` lists the in-neighbours of node :math:`i` in increasing order, as in
    the paper: :math:`[A]_{ij} = a_{ji}` is the weight of the edge :math:`j \to i`.
    Make one with :meth:`from_edges`, :meth:`from_dense`, :meth:`from_scipy`,
    :meth:`from_networkx` or :meth:`from_pyg`. What follows from the graph alone
    (neighbourhoods, shift operators) is computed once and kept.

    Example:
        >>> import vicinal as vc
        >>> vc.Graph.from_edges([(0, 1), (1, 2)], num_nodes=3).to_dense()
        tensor([[0., 0., 0.],
                [1., 0., 0.],
                [0., 1., 0.]])
    """

    _kept: dict[str, Any] = field(default_factory=dict)

    # --- making a graph ---------------------------------------------------------------

    @staticmethod
    def from_edges(
        edges: Any,
        num_nodes: int | None = None,
        weight: Any = None,
        *,
        duplicates: Duplicates = "raise",
        self_loops: bool = True,
    ) -> "Graph":
        """Make a graph from edges ``source -> target``.

        Args:
            edges: A tensor or array of shape ``(2, E)``, source row and target row as
                in PyG, or an iterable of pairs.
            num_nodes: Number of nodes; the largest id plus one if not given.
            weight: One finite number per edge; one if not given.
            duplicates: What to do with parallel edges: ``"raise"`` or ``"sum"``.
            self_loops: Whether to keep edges from a node to itself.

        Example:
            >>> Graph.from_edges([(0, 1), (0, 1)], duplicates="sum").weight
            tensor([2.])
        """
        return Graph(*csr_from_edges(edges, num_nodes, weight, duplicates, self_loops))

    @staticmethod
    def from_dense(
        matrix: Any, *, orientation: Orientation = "in", self_loops: bool = True
    ) -> "Graph":
        """Make a graph from a square array or tensor; zeros are no edges.

        Args:
            matrix: Weights. Entry (i, j) belongs to the edge j -> i with
                ``orientation="in"`` (the paper's), to i -> j with ``"out"``.
            orientation: What a row holds: edges that enter, or that leave.
            self_loops: Whether to keep the diagonal.

        Example:
            >>> Graph.from_dense([[0, 1], [0, 0]]).to_edges()[0].tolist()
            [[1], [0]]
        """
        return Graph(*csr_from_matrix(matrix, orientation, self_loops))

    @staticmethod
    def from_scipy(
        matrix: Any, *, orientation: Orientation = "in", self_loops: bool = True
    ) -> "Graph":
        """Make a graph from a SciPy sparse matrix, as :meth:`from_dense` does.

        Example:
            >>> import scipy.sparse
            >>> Graph.from_scipy(scipy.sparse.eye_array(2))
            Graph(num_nodes=2, num_edges=2)
        """
        return Graph(*csr_from_scipy(matrix, orientation, self_loops))

    @staticmethod
    def from_networkx(graph: Any, weight: str | None = "weight") -> "Graph":
        """Make a graph from networkx; nodes are numbered in its own order.

        Undirected edges become two. Parallel edges of a multigraph are summed.

        Args:
            graph: A networkx graph; its edge u -> v feeds node v.
            weight: Edge attribute that holds the weight (1 where absent).

        Example:
            >>> import networkx as nx
            >>> Graph.from_networkx(nx.path_graph(3))
            Graph(num_nodes=3, num_edges=4)
        """
        edges, num_nodes, weights = interop.networkx_edges(graph, weight)
        return Graph.from_edges(edges, num_nodes, weights, duplicates="sum")

    @staticmethod
    def from_pyg(
        data: Any,
        num_nodes: int | None = None,
        weight: Any = None,
        *,
        duplicates: Duplicates = "raise",
    ) -> "Graph":
        """Make a graph from a PyG ``Data`` or an ``edge_index``.

        Args:
            data: An object with ``edge_index`` (and maybe ``edge_weight``), or the
                ``edge_index`` tensor itself.
            num_nodes: Number of nodes; taken from ``data`` if it knows.
            weight: The ``edge_weight`` that goes with a bare ``edge_index``.
            duplicates: What to do with parallel edges: ``"raise"`` or ``"sum"``.

        Example:
            >>> Graph.from_pyg(torch.tensor([[0, 1], [1, 2]]))
            Graph(num_nodes=3, num_edges=2)
        """
        edges, num_nodes, weight = interop.pyg_edges(data, num_nodes, weight)
        return Graph.from_edges(edges, num_nodes, weight, duplicates=duplicates)

    # --- other graphs -----------------------------------------------------------------

    def permute(self, order: Any) -> "Graph":
        """Renumber the nodes: new node ``p`` is old node ``order[p]``.

        A signal on the new graph is ``x[..., order, :]``.

        Example:
            >>> Graph.from_edges([(0, 1)]).permute([1, 0]).to_edges()[0].tolist()
            [[1], [0]]
        """
        places = order_of(order, self.num_nodes).to(self.device).argsort()
        edge_index, weight = self.to_edges()
        moved = Graph.from_edges(places[edge_index], self.num_nodes, weight)
        return moved.to(self.device)

    def reverse(self) -> "Graph":
        """Turn every edge round.

        Example:
            >>> Graph.from_edges([(0, 1)]).reverse().to_edges()[0].tolist()
            [[1], [0]]
        """
        edges, weight = self.to_edges()
        return Graph.from_edges(edges.flip(0), self.num_nodes, weight).to(self.device)

    def to(self, device: torch.device | str) -> "Graph":
        """The same graph, with all that it keeps, on another device."""
        return map_tensors(lambda tensor: tensor.to(torch.device(device)), self)

    # --- what follows from a graph ----------------------------------------------------

    def neighborhoods(self, hops: int, *, exact: bool = False) -> Neighborhoods:
        """The nodes within 1, ..., ``hops`` hops of every node, itself included.

        Args:
            hops: Largest hop count.
            exact: Take the nodes reached in exactly k hops instead (support of the
                k-th power of the unweighted adjacency).

        Example:
            >>> path = Graph.from_edges([(0, 1), (1, 2)])
            >>> path.neighborhoods(2).of(node=2, hop=1)
            tensor([1, 2], dtype=torch.int32)
        """
        check_hops(hops)
        check_flag("exact", exact)
        key = f"neighborhoods exact={exact}"
        kept: Neighborhoods | None = self._kept.get(key)
        if kept is not None and kept.hops >= hops:
            return kept.up_to(hops)
        return self._make(
            key,
            lambda: khop(*self.cpu_rows(), hops, exact),
            f"graph.prepare(hops={hops}{', exact=True' if exact else ''})",
        )

    def storable(self, hops: int) -> bool:
        """Whether neighbourhoods of so many hops are kept or fit the memory limit."""
        check_hops(hops)
        kept: Neighborhoods | None = self._kept.get("neighborhoods exact=False")
        if hops < 2 or (kept is not None and kept.hops >= hops):
            return True
        return self.cost(hops).neighborhood_bytes <= memory_limit()

    def whole_component(self, hops: int) -> Neighborhoods:
        """The balls of the authors' release 0.1: all that leads here, from 2 hops on.

        Example:
            >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
            >>> path.whole_component(2).of(node=3, hop=2).tolist()
            [0, 1, 2, 3]
        """
        check_hops(hops, smallest=1)
        return self.keep(
            f"whole component hops={hops}",
            lambda: whole_component(*self.cpu_rows(), hops),
            f"graph.whole_component({hops})",
        )

    def shift(
        self,
        name: str = "adjacency",
        *,
        scaled: bool = True,
        dtype: torch.dtype = torch.float32,
    ) -> SparseMatrix:
        """A shift operator by name.

        Args:
            name: One of ``adjacency`` (A), ``unweighted`` (N), ``self_loops`` (I + N),
                ``laplacian``, ``unweighted_laplacian``, ``random_walk``, ``symmetric``,
                ``random_walk_with_self_loops``, ``symmetric_with_self_loops``.
            scaled: Divide it by its spectral radius.
            dtype: Of the entries.

        Example:
            >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
            >>> ring.shift("laplacian", scaled=False).to_dense()
            tensor([[ 1.,  0., -1.],
                    [-1.,  1.,  0.],
                    [ 0., -1.,  1.]])
        """
        check_choice("shift", name, tuple(SHIFTS))
        check_flag("scaled", scaled)
        check_floating("dtype", dtype)
        key = f"shift {name} scaled={scaled} {dtype}"
        return self.keep(
            key,
            lambda: shift_operator(self.to_scipy(), name, scaled, dtype),
            f"graph.prepare(shift={name!r}, scaled={scaled}, dtype={dtype})",
        )

    def prepare(
        self,
        hops: int = 1,
        *,
        exact: bool = False,
        shift: str | None = None,
        scaled: bool = True,
        dtype: torch.dtype = torch.float32,
    ) -> "Graph":
        """Compute neighbourhoods, and a shift operator, ahead; return the graph.

        Example:
            >>> Graph.from_edges([(0, 1), (1, 0)]).prepare(hops=2, shift="adjacency")
            Graph(num_nodes=2, num_edges=2)
        """
        self.neighborhoods(hops, exact=exact)
        if shift is not None:
            self.shift(shift, scaled=scaled, dtype=dtype)
        return self

    def keep(self, key: str, make: Callable[[], Keepable], remedy: str) -> Keepable:
        """What is kept under ``key``, made now if it is not there yet."""
        kept: Keepable | None = self._kept.get(key)
        return self._make(key, make, remedy) if kept is None else kept

    def _make(self, key: str, make: Callable[[], Keepable], remedy: str) -> Keepable:
        made = compute(key, make, remedy, self.device)
        self._kept[key] = made
        return made


register_record(Graph, ["indptr", "indices", "weight", "_kept"])
