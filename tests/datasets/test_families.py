"""Families of graphs: what the paper's densities give, and what is refused."""

import networkx as nx
import pytest
from pydantic import ValidationError

from vicinal.datasets.families import GraphSettings, draw_graph, mean_degree


def degrees(count, **settings):
    graphs = [draw_graph(GraphSettings(**settings), seed) for seed in range(count)]
    return sum(map(mean_degree, graphs)) / count


def test_erdos_renyi_graphs_have_the_expected_degree():
    assert degrees(40, graph="erdos-renyi") == pytest.approx(39.6, abs=0.35)


def test_geometric_graphs_have_the_expected_degree():
    as_drawn = degrees(40, graph="geometric", connected=False)
    assert as_drawn == pytest.approx(6.13, abs=0.2)
    assert degrees(40, graph="geometric") == pytest.approx(6.09, abs=0.2)


def test_three_of_ten_geometric_graphs_are_connected_as_drawn():
    settings = GraphSettings(graph="geometric", connected=False)
    graphs = [draw_graph(settings, seed).to_networkx() for seed in range(200)]
    share = sum(nx.is_weakly_connected(graph) for graph in graphs) / 200
    assert share == pytest.approx(0.30, abs=0.1)


@pytest.mark.parametrize("family", ["erdos-renyi", "geometric", "grid"])
def test_graphs_are_symmetric_connected_and_without_loops(family):
    dense = draw_graph(GraphSettings(graph=family), seed=3).to_dense()
    assert dense.equal(dense.T)
    assert dense.diagonal().eq(0).all()
    assert nx.is_connected(nx.from_numpy_array(dense.numpy()))


def test_two_hops_reach_all_of_an_erdos_renyi_graph():
    graph = draw_graph(GraphSettings(), seed=0)
    assert graph.neighborhoods(2).indptr[100:].diff().eq(100).all()


def test_density_zero_is_the_papers():
    for family, own in (("erdos-renyi", 0.4), ("geometric", 0.15)):
        given = GraphSettings(graph=family, density=own)
        own_graph = draw_graph(GraphSettings(graph=family), seed=1)
        assert draw_graph(given, seed=1) == own_graph


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"graph": "grid", "num_nodes": 99}, "num_nodes"),
        ({"graph": "grid", "density": 0.1}, "density"),
        ({"graph": "erdos-renyi", "density": 1.2}, "density"),
        ({"density": -0.1}, "density"),
        ({"graph": "star"}, "graph"),
    ],
)
def test_impossible_graphs_are_refused_by_name(settings, named):
    with pytest.raises(ValidationError, match=named):
        GraphSettings(**settings)
