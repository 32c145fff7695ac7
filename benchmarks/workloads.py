"""W1 to W7, and others on which no cost model was fitted.

A workload is made when asked for: ``make("W4")``. W7 has 60 million edges and takes a
minute or more and a few GB to make; it is kept in ``output/graphs``.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np
import torch
from torch import Tensor

import vicinal as vc
from benchmarks import draws

FITTED = ("W1", "W2", "W3", "W4", "W5", "W6", "W7")


@dataclass(frozen=True)
class Workload:
    """A graph, and what runs on it."""

    name: str
    graph: vc.Graph
    batch: int
    features: int
    signal: str = "normal"  # a key of SIGNALS
    hops: tuple[int, ...] = (1, 2)

    def draw(self, seed=0) -> Tensor:  # shape: (batch, N, features)
        """Draw the signals."""
        generator = torch.Generator().manual_seed(seed)
        shape = (self.batch, self.graph.num_nodes, self.features)
        return SIGNALS[self.signal](torch.randn(shape, generator=generator), self.graph)


def smooth(x, graph, times=10):
    """Average every signal over one-hop neighbourhoods, again and again."""
    for _ in range(times):
        x = vc.functional.local_mean(x, graph).squeeze(-3)
    return x


SIGNALS: dict[str, Callable[[Tensor, vc.Graph], Tensor]] = {
    "normal": lambda x, graph: x,
    "smooth": smooth,
    "relu": lambda x, graph: x.relu(),  # half of the values tie at 0
    "rounded": lambda x, graph: (2 * x).round() / 2,  # about a dozen distinct values
}


# --- those the targets speak of -------------------------------------------------------


def w1():
    """Erdos-Renyi: few nodes, many edges, a large batch."""
    return Workload("W1", vc.graphs.erdos_renyi(100, 0.4, seed=1), 100, 32)


def w2():
    """Geometric: few nodes, few edges, a large batch."""
    graph = vc.graphs.random_geometric(100, 0.15, seed=2)
    return Workload("W2", graph, 100, 32, hops=(1, 2, 3))


def w3():
    """A dense digraph with unequal degrees, as of words that follow each other."""
    return Workload("W3", draws.lognormal_digraph(211, 78, 0.6, seed=3), 20, 32)


def w4():
    """Sparse power law of the size of Cora."""
    graph = draws.chung_lu(2708, 5400, 2.6, 168, seed=4)
    return Workload("W4", graph, 1, 16, hops=(1, 2, 3))


def w5():
    """Forty nearest neighbours feed every node."""
    points = draws.stretched_points(943, 6, 0.5, seed=5)
    return Workload("W5", vc.graphs.from_points(points, 40), 5, 32, hops=(1, 2, 3))


def w6():
    """Power law with hubs, 2.3 million directed edges."""
    graph = draws.kept("W6", 170_000, 1_150_000, 2.3, 13_000, seed=6)
    return Workload("W6", graph, 1, 64, hops=(1,))


def w7():
    """Power law, 60 million directed edges."""
    graph = draws.kept("W7", 2_400_000, 30_000_000, 2.4, 17_000, seed=7)
    return Workload("W7", graph, 1, 32, hops=(1,))


# --- those that nothing was fitted on -------------------------------------------------


def cora():
    """The citation network itself, from the folder ``VICINAL_DATA`` names."""
    with np.load(_cora_file()) as stored:
        pairs = stored["edges_undirected"].reshape(-1, 2).T
    edges = np.concatenate([pairs, pairs[::-1]], axis=1)
    return Workload("cora", vc.Graph.from_edges(edges, 2708), 1, 16, "relu")


def _cora_file():
    return Path(os.environ.get("VICINAL_DATA", "")) / "cora" / "cora.npz"


def lesmis():
    """Who meets whom in Les Miserables: 77 people, a hub, a batch of smooth signals."""
    graph = vc.Graph.from_networkx(nx.les_miserables_graph(), weight=None)
    return Workload("lesmis", graph, 100, 32, "smooth")


def karate():
    """Zachary's karate club: 34 people, rounded signals."""
    graph = vc.Graph.from_networkx(nx.karate_club_graph(), weight=None)
    return Workload("karate", graph, 64, 16, "rounded")


def grid():
    """A square grid of 4096 nodes, smooth signals."""
    graph = vc.Graph.from_networkx(nx.grid_2d_graph(64, 64))
    return Workload("grid", graph, 4, 32, "smooth", hops=(1, 2, 3))


def star():
    """One hub that sees 1000 leaves; within two hops everybody sees everybody."""
    graph = vc.Graph.from_networkx(nx.star_graph(1000))
    return Workload("star", graph, 2, 16, "rounded")


def path():
    """A path of 10,000 nodes: tiny neighbourhoods, all cost is per node."""
    graph = vc.Graph.from_networkx(nx.path_graph(10_000))
    return Workload("path", graph, 1, 16, "normal", hops=(1, 2, 3))


MAKERS: dict[str, Callable[[], Workload]] = {
    **dict(zip(FITTED, (w1, w2, w3, w4, w5, w6, w7), strict=True)),
    "cora": cora, "lesmis": lesmis, "karate": karate,
    "grid": grid, "star": star, "path": path,
}  # fmt: skip


def available():
    """Names of all workloads that can be made here."""
    return [name for name in MAKERS if name != "cora" or _cora_file().is_file()]


def make(name):
    """Make a workload by name."""
    if name not in MAKERS:
        raise ValueError(f"`name` must be one of {list(MAKERS)}, got {name!r}")
    return MAKERS[name]()
