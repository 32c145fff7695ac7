"""Similarity networks: Pearson correlation over what two nodes have both rated."""

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from vicinal.graphs import Graph

__all__ = ["COMMON", "STRONGEST", "pearson", "similarity_graph", "strongest"]

COMMON = 10  # fewest ratings that two similar nodes share
STRONGEST = 40  # most similar nodes that feed a node


def pearson(
    matrix: NDArray[np.float64],  # shape: (nodes, others), zero where unrated
    least: int,
) -> NDArray[np.float64]:  # shape: (nodes, nodes)
    r"""Correlation of rows over the columns that both have rated.

    .. math:: r_{uv} = \frac{\sum_{i \in S_{uv}} (Y_{ui}-\mu_{uv})(Y_{vi}-\mu_{vu})}
        {\sqrt{\sum_{S_{uv}} (Y_{ui}-\mu_{uv})^2 \sum_{S_{uv}} (Y_{vi}-\mu_{vu})^2}}

    with :math:`\mu_{uv}` the mean of u over :math:`S_{uv}`. It is zero for fewer common
    columns than ``least``, for a row that does not vary on them, and for a row with
    itself.

    Example:
        >>> pearson(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 5.0]]), least=2).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    rated = (matrix > 0).astype(np.float64)
    common = np.maximum(rated @ rated.T, 1.0)
    sums = matrix @ rated.T
    products = matrix @ matrix.T * common - sums * sums.T
    spreads = (matrix**2) @ rated.T * common - sums**2  # whole numbers: exact
    scale = np.sqrt(np.maximum(spreads * spreads.T, 0.0))
    r = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    r[rated @ rated.T < least] = 0.0
    np.fill_diagonal(r, 0.0)
    return np.clip(r, -1.0, 1.0)


def strongest(
    r: NDArray[np.float64], count: int, signed: bool
) -> NDArray[np.float64]:  # shape: (nodes, nodes)
    """The highest entries of each row, zero elsewhere; the lower column where they tie.

    Args:
        r: Correlations.
        count: Most entries of a row.
        signed: Keep negative ones where they are among the highest.

    Example:
        >>> r = np.array([[0.0, 0.5, 0.9], [0.5, 0.0, -0.2], [0.9, -0.2, 0.0]])
        >>> strongest(r, 1, signed=False).tolist()
        [[0.0, 0.0, 0.9], [0.5, 0.0, 0.0], [0.9, 0.0, 0.0]]
    """
    rank = np.where(r == 0, -np.inf, r) if signed else np.where(r > 0, r, -np.inf)
    columns = np.argsort(-rank, axis=1, kind="stable")[:, :count]
    kept = np.zeros_like(r)
    best = np.take_along_axis(rank, columns, axis=1)
    np.put_along_axis(kept, columns, np.where(np.isfinite(best), best, 0.0), axis=1)
    return kept


def similarity_graph(
    matrix: NDArray[np.float64], count: int, least: int, signed: bool = False
) -> Graph:
    """A network in which each row is fed by the rows most similar to it.

    Args:
        matrix: Ratings by node, zero where unrated.
        count: Most edges that enter a node.
        least: Fewest ratings that two nodes must share.
        signed: Keep negative correlations.

    Example:
        >>> matrix = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 5.0], [2.0, 1.0, 0.0]])
        >>> similarity_graph(matrix, count=1, least=2)
        Graph(num_nodes=3, num_edges=2)
    """
    kept = strongest(pearson(matrix, least), count, signed)
    return Graph.from_scipy(scipy.sparse.csr_array(kept))
