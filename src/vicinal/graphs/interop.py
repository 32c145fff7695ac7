"""Graphs of other libraries: networkx and PyG."""

from typing import Any

from torch import Tensor

__all__ = ["networkx_edges", "networkx_graph", "pyg_data", "pyg_edges"]

Edges = tuple[Any, int | None, Any]  # edges, number of nodes, weights


def networkx_edges(graph: Any, weight: str | None) -> Edges:
    """Number the nodes of a networkx graph in its own order; list its edges."""
    import networkx as nx

    if not isinstance(graph, nx.Graph):
        raise TypeError(f"`graph` must be a networkx graph, got {type(graph).__name__}")
    directed = graph.to_directed()
    ids = {node: i for i, node in enumerate(directed)}
    edges = [(ids[u], ids[v]) for u, v in directed.edges()]
    weights = [
        1.0 if weight is None else data.get(weight, 1.0)
        for _, _, data in directed.edges(data=True)
    ]
    return edges, len(ids), weights


def networkx_graph(num_nodes: int, edge_index: Tensor, weight: Tensor) -> Any:
    """Make a ``networkx.DiGraph`` with edge attribute ``weight``."""
    import networkx as nx

    graph: Any = nx.DiGraph()
    graph.add_nodes_from(range(num_nodes))
    triples = zip(*edge_index.tolist(), weight.tolist(), strict=True)
    graph.add_weighted_edges_from(triples)
    return graph


def pyg_edges(data: Any, num_nodes: int | None, weight: Any) -> Edges:
    """Read a PyG ``Data`` or a bare ``edge_index``."""
    if isinstance(data, Tensor):
        return data, num_nodes, weight
    if getattr(data, "edge_index", None) is None:
        raise TypeError(
            f"`data` must be a PyG Data with `edge_index` or an `edge_index` tensor, "
            f"got {type(data).__name__}"
        )
    weight = getattr(data, "edge_weight", None) if weight is None else weight
    if num_nodes is None and _knows_num_nodes(data):
        num_nodes = data.num_nodes
    return data.edge_index, num_nodes, weight


def _knows_num_nodes(data: Any) -> bool:
    """Whether PyG can tell without a guess (and a warning)."""
    known = (
        getattr(data, "x", None) is not None or getattr(data, "pos", None) is not None
    )
    return known or "num_nodes" in data


def pyg_data(num_nodes: int, edge_index: Tensor, weight: Tensor) -> Any:
    """Make a PyG ``Data`` with ``edge_index`` and ``edge_weight``."""
    try:
        from torch_geometric.data import Data
    except ImportError as error:
        raise ImportError(
            "`to_pyg` must have PyG; install it with `pip install vicinal[pyg]`"
        ) from error
    return Data(edge_index=edge_index, edge_weight=weight, num_nodes=num_nodes)
