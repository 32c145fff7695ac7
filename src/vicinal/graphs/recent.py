"""Graphs of the edge lists seen lately, found again by content.

For callers that are handed the same ``edge_index`` again and again, not a graph. The
edges are compared with a copy, never by address: a list that was changed in place, or
another one at the place of a freed one, is a new list.
"""

from dataclasses import dataclass
from threading import Lock

import torch
from torch import Tensor
from torch.autograd.forward_ad import unpack_dual
from torch.utils import _pytree as pytree

from vicinal.graphs.graph import Graph
from vicinal.graphs.neighborhoods import memory_limit
from vicinal.graphs.outside import outside_transforms

__all__ = ["recent"]

_SIZE = 16  # graphs kept at most; less where they fill the memory limit
_INTEGERS = (torch.int32, torch.int64)


@dataclass(frozen=True, eq=False)
class _Kept:
    """A graph beside a copy of the edges it was made of."""

    edge_index: Tensor  # shape: (2, E)
    edge_weight: Tensor | None  # shape: (E,)
    graph: Graph

    def serves(
        self, edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None
    ) -> bool:
        return (
            num_nodes == self.graph.num_nodes
            and _same(self.edge_index, edge_index)
            and _same(self.edge_weight, edge_weight)
        )

    def num_bytes(self) -> int:
        leaves = pytree.tree_leaves(self.graph)  # with all that the graph keeps
        return sum(leaf.nbytes for leaf in leaves if isinstance(leaf, Tensor))


_lock = Lock()
_kept: list[_Kept] = []  # the latest first


def recent(
    edge_index: Tensor,  # shape: (2, E)
    num_nodes: int,
    edge_weight: Tensor | None = None,  # shape: (E,)
) -> Graph:
    """Find the graph of these edges, or make it; parallel edges are summed.

    At most 16 graphs are kept, with their neighbourhoods and shift operators, and no
    more than fit into :func:`vicinal.memory_limit`; the one not used for longest goes.

    Args:
        edge_index: Source row and target row, as in PyG.
        num_nodes: Number of nodes.
        edge_weight: One finite number per edge; one if not given.

    Example:
        >>> edge_index = torch.tensor([[0, 1], [1, 2]])
        >>> graph = recent(edge_index, num_nodes=3)
        >>> recent(edge_index.clone(), num_nodes=3) is graph
        True
        >>> edge_index[1, 1] = 0
        >>> recent(edge_index, num_nodes=3) is graph
        False
    """
    _check_edges(edge_index)
    if edge_weight is not None:
        _check_weights(edge_weight, edge_index.size(1))
    with _lock, outside_transforms():
        for place, kept in enumerate(_kept):
            if kept.serves(edge_index, num_nodes, edge_weight):
                _kept.insert(0, _kept.pop(place))
                return kept.graph
        made = _make(edge_index, num_nodes, edge_weight)
        _kept.insert(0, made)
        del _kept[_SIZE:]
        while len(_kept) > 1 and sum(k.num_bytes() for k in _kept) > memory_limit():
            _kept.pop()
        return made.graph


def _make(edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None) -> _Kept:
    edges = edge_index.detach().clone()
    weight = None if edge_weight is None else edge_weight.clone()
    if edges.numel():
        low, high = (int(bound) for bound in edges.aminmax())
        if low < 0 or high >= num_nodes:
            raise ValueError(
                f"`edge_index` must name nodes in 0..{num_nodes - 1}, "
                f"got {low if low < 0 else high}"
            )
    if weight is not None and not weight.isfinite().all():
        bad = weight[~weight.isfinite()][0].item()
        raise ValueError(f"`edge_weight` must be finite, got {bad}")
    graph = Graph.from_edges(edges, num_nodes, weight, duplicates="sum")
    return _Kept(edges, weight, graph.to(edges.device))


def _same(kept: Tensor | None, given: Tensor | None) -> bool:
    if kept is None or given is None:
        return kept is given
    alike = kept.dtype == given.dtype and kept.device == given.device
    return alike and torch.equal(kept, given.detach())


def _check_edges(edge_index: Tensor) -> None:
    if not isinstance(edge_index, Tensor) or edge_index.layout != torch.strided:
        got = getattr(edge_index, "layout", type(edge_index).__name__)
        raise TypeError(
            f"`edge_index` must be a dense tensor, got {got}; a sparse adjacency "
            "matrix has to become an edge list first"
        )
    if edge_index.dim() != 2 or edge_index.size(0) != 2:
        raise ValueError(
            f"`edge_index` must have shape (2, edges), source row and target row, got "
            f"{tuple(edge_index.shape)}"
        )
    if edge_index.dtype not in _INTEGERS:
        raise TypeError(
            f"`edge_index` must hold int64 or int32, got {edge_index.dtype}; convert "
            "it with `edge_index.long()`"
        )


def _check_weights(edge_weight: Tensor, num_edges: int) -> None:
    if not isinstance(edge_weight, Tensor):
        raise TypeError(
            f"`edge_weight` must be a tensor, got {type(edge_weight).__name__}"
        )
    if edge_weight.shape != (num_edges,):
        raise ValueError(
            f"`edge_weight` must have shape ({num_edges},), one value per edge, got "
            f"{tuple(edge_weight.shape)}"
        )
    if edge_weight.requires_grad or unpack_dual(edge_weight).tangent is not None:
        raise ValueError(
            "`edge_weight` must not require a gradient, got one that does: the graph "
            "is not trained; pass `edge_weight.detach()`"
        )
