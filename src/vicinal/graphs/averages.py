"""Means over neighbourhoods as one sparse matrix."""

import numpy as np
import scipy.sparse
import torch

from vicinal.graphs.graph import Graph
from vicinal.graphs.neighborhoods import Neighborhoods
from vicinal.graphs.sparse import SparseMatrix

__all__ = ["averages"]


def averages(
    graph: Graph | Neighborhoods, hops: int, dtype: torch.dtype = torch.float32
) -> SparseMatrix:
    """The ``(hops * N, N)`` matrix that takes means over stacked neighbourhoods.

    Kept on a graph; neighbourhoods made by hand bring their own hop count.

    Example:
        >>> path = Graph.from_edges([(0, 1), (1, 0)])
        >>> averages(path, hops=1).to_dense()
        tensor([[0.5000, 0.5000],
                [0.5000, 0.5000]])
    """
    if isinstance(graph, Neighborhoods):
        return _averaging(graph, dtype)
    return graph.keep(
        f"averages hops={hops} {dtype}",
        lambda: _averaging(graph.neighborhoods(hops), dtype),
        f"vicinal.graphs.averages(graph, {hops}, {dtype})",
    )


def _averaging(balls: Neighborhoods, dtype: torch.dtype) -> SparseMatrix:
    indptr, indices = balls.indptr.cpu().numpy(), balls.indices.cpu().numpy()
    counts = np.diff(indptr)
    weight = np.repeat(1 / np.maximum(counts, 1), counts)
    shape = (len(counts), balls.num_nodes)
    csr = scipy.sparse.csr_array((weight, indices, indptr), shape=shape)
    return SparseMatrix.from_scipy(csr, dtype).to(balls.indices.device)
