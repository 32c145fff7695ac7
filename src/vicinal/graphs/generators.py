"""Random graphs with an explicit seed."""

from collections.abc import Callable, Sequence
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse.csgraph
import scipy.spatial

from vicinal.graphs.arguments import (
    check_flag,
    check_integer,
    check_number,
    check_probability,
)
from vicinal.graphs.graph import Graph

__all__ = [
    "erdos_renyi",
    "nearest_neighbors",
    "random_geometric",
    "stochastic_block_model",
]

_ATTEMPTS = 1000


def erdos_renyi(
    num_nodes: int, probability: float, *, seed: int, connected: bool = False
) -> Graph:
    """Draw each undirected edge with the same probability.

    Args:
        num_nodes: Number of nodes.
        probability: Of each edge.
        seed: Of all randomness.
        connected: Redraw until the graph is connected.

    Example:
        >>> erdos_renyi(100, 0.4, seed=0).num_nodes
        100
    """
    check_integer("num_nodes", num_nodes, 1)
    check_probability("probability", probability)
    return _draw(
        lambda s: nx.fast_gnp_random_graph(num_nodes, probability, seed=s),
        seed,
        connected,
    )


def random_geometric(
    num_nodes: int, radius: float, *, seed: int, connected: bool = False
) -> Graph:
    """Join points drawn uniformly on the unit square that are closer than ``radius``.

    Args:
        num_nodes: Number of nodes.
        radius: Largest length of an edge.
        seed: Of all randomness.
        connected: Redraw until the graph is connected.

    Example:
        >>> is_connected(random_geometric(100, 0.15, seed=0, connected=True))
        True
    """
    check_integer("num_nodes", num_nodes, 1)
    check_number("radius", radius)
    if not radius > 0:
        raise ValueError(f"`radius` must be positive, got {radius}")
    return _draw(
        lambda s: nx.random_geometric_graph(num_nodes, radius, seed=s), seed, connected
    )


def stochastic_block_model(
    sizes: Sequence[int],
    probabilities: Sequence[Sequence[float]],
    *,
    seed: int,
    connected: bool = False,
) -> Graph:
    """Draw undirected edges with probabilities that depend on the communities.

    Args:
        sizes: Number of nodes of each community.
        probabilities: Symmetric matrix, one row per community.
        seed: Of all randomness.
        connected: Redraw until the graph is connected.

    Example:
        >>> stochastic_block_model([5, 5], [[1.0, 0.0], [0.0, 1.0]], seed=0)
        Graph(num_nodes=10, num_edges=40)
    """
    if not isinstance(sizes, Sequence):
        raise TypeError(f"`sizes` must list integers, got {type(sizes).__name__}")
    for size in sizes:
        check_integer("sizes", size, 1)
    matrix = _floats("probabilities", probabilities)
    if matrix.shape != (len(sizes), len(sizes)) or not (matrix == matrix.T).all():
        raise ValueError(
            f"`probabilities` must be a symmetric matrix of size {len(sizes)}, "
            f"got shape {matrix.shape}"
        )
    for probability in matrix.flat:
        check_probability("probabilities", probability)
    return _draw(
        lambda s: nx.stochastic_block_model(list(sizes), matrix.tolist(), seed=s),
        seed,
        connected,
    )


def nearest_neighbors(
    num_nodes: int,
    neighbors: int,
    *,
    seed: int,
    dimensions: int = 2,
    connected: bool = False,
) -> Graph:
    """Feed each of uniformly drawn points by its nearest neighbours (directed).

    Args:
        num_nodes: Number of points in the unit cube.
        neighbors: Number of neighbours that feed each point.
        seed: Of all randomness.
        dimensions: Of the cube.
        connected: Redraw until the graph is (weakly) connected.

    Example:
        >>> nearest_neighbors(50, 4, seed=0).indptr.diff().unique()
        tensor([4])
    """
    check_integer("num_nodes", num_nodes, 1)
    check_integer("dimensions", dimensions, 1)
    _check_neighbors(neighbors, num_nodes)

    def draw(state: int) -> Graph:
        points = np.random.default_rng(state).random((num_nodes, dimensions))
        return from_points(points, neighbors)

    return _draw(draw, seed, connected)


def from_points(points: Any, neighbors: int) -> Graph:
    """Feed each point by its nearest neighbours, itself left out.

    Args:
        points: Array of shape ``(nodes, dimensions)``.
        neighbors: Number of neighbours that feed each point.

    Example:
        >>> from_points([[0.0], [1.0], [3.0]], 1).to_edges()[0].tolist()
        [[1, 0, 1], [0, 1, 2]]
    """
    points = _floats("points", points)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise ValueError(
            f"`points` must be finite, of shape (nodes, dimensions), "
            f"got shape {points.shape}"
        )
    _check_neighbors(neighbors, len(points))
    _, found = scipy.spatial.KDTree(points).query(points, k=neighbors + 1)
    near = np.asarray(found).tolist()
    edges = [
        (j, i)
        for i, row in enumerate(near)
        for j in [j for j in row if j != i][:neighbors]
    ]
    return Graph.from_edges(edges, num_nodes=len(points))


def _draw(draw: Callable[[int], Any], seed: int, connected: bool) -> Graph:
    check_integer("seed", seed, 0)
    check_flag("connected", connected)
    states = np.random.default_rng(seed).integers(2**31, size=_ATTEMPTS)
    for state in states.tolist():
        drawn = draw(state)
        graph = drawn if isinstance(drawn, Graph) else Graph.from_networkx(drawn)
        if not connected or is_connected(graph):
            return graph
    raise ValueError(
        f"`connected` must be possible, got {_ATTEMPTS} graphs in pieces; "
        "ask for more edges or pass connected=False"
    )


def is_connected(graph: Graph) -> bool:
    """Whether the graph is in one piece, directions ignored.

    Example:
        >>> is_connected(Graph.from_edges([(0, 1)], num_nodes=3))
        False
    """
    pieces, _ = scipy.sparse.csgraph.connected_components(graph.to_scipy())
    return bool(pieces == 1)


def _check_neighbors(neighbors: int, num_nodes: int) -> None:
    check_integer("neighbors", neighbors, 1)
    if neighbors >= num_nodes:
        raise ValueError(
            f"`neighbors` must be smaller than the number of nodes ({num_nodes}), "
            f"got {neighbors}"
        )


def _floats(name: str, data: Any) -> Any:
    try:
        return np.asarray(data, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"`{name}` must be an array of numbers, got {type(data).__name__}: {error}"
        ) from None
