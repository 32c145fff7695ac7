"""Families of random graphs, by name, as settings of a generated task."""

import math
from typing import Literal

import networkx as nx
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core.core_schema import ValidationInfo

from vicinal.graphs import Graph, erdos_renyi, random_geometric

__all__ = ["GraphSettings", "draw_graph", "mean_degree"]

Family = Literal["erdos-renyi", "geometric", "grid"]

_OWN_DENSITY = {"erdos-renyi": 0.4, "geometric": 0.15}  # the paper's


class GraphSettings(BaseModel):
    """Which graph: family, size, and how dense.

    Example:
        >>> GraphSettings(graph="geometric").num_nodes
        100
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    graph: Family = "erdos-renyi"
    num_nodes: int = Field(100, ge=2)
    # edge probability or radius; 0: the paper's
    density: float = Field(0.0, ge=0, allow_inf_nan=False)
    connected: bool = True  # redraw until it is

    @field_validator("num_nodes")
    @classmethod
    def _square(cls, value: int, info: ValidationInfo) -> int:
        if info.data.get("graph") == "grid" and math.isqrt(value) ** 2 != value:
            raise ValueError("a square for a grid, such as 100 or 900")
        return value

    @field_validator("density")
    @classmethod
    def _possible(cls, value: float, info: ValidationInfo) -> float:
        family = info.data.get("graph")
        if family == "erdos-renyi" and value > 1:
            raise ValueError("at most 1 for an Erdős–Rényi graph")
        if family == "grid" and value:
            raise ValueError("0 for a grid, whose edges are given")
        return value


def draw_graph(settings: GraphSettings, seed: int) -> Graph:
    """Draw a graph of the family; a grid is always the same.

    Erdős–Rényi: every pair is joined with probability ``density`` (0.4 of itself).
    Geometric: points drawn uniformly on the unit square are joined if they are closer
    than ``density`` (0.15 of itself). Grid: a square lattice, four neighbours inside.

    Example:
        >>> draw_graph(GraphSettings(graph="grid", num_nodes=9), seed=0)
        Graph(num_nodes=9, num_edges=24)
    """
    if settings.graph == "grid":
        side = math.isqrt(settings.num_nodes)
        return Graph.from_networkx(nx.grid_2d_graph(side, side))
    draw = erdos_renyi if settings.graph == "erdos-renyi" else random_geometric
    density = settings.density or _OWN_DENSITY[settings.graph]
    return draw(settings.num_nodes, density, seed=seed, connected=settings.connected)


def mean_degree(graph: Graph) -> float:
    """Edges that enter a node, on average.

    Example:
        >>> mean_degree(Graph.from_edges([(0, 1), (1, 0)]))
        1.0
    """
    return graph.num_edges / graph.num_nodes
