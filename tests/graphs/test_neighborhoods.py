"""Neighbourhoods against networkx, matrix powers and loops over sets."""

import itertools
import time

import brute
import networkx as nx
import numpy as np
import pytest
import torch
from graphs.strategies import graph_of, weighted_digraphs
from hypothesis import given, settings
from hypothesis import strategies as st

import vicinal as vc

Graph = vc.Graph
HOPS = st.integers(1, 4)


def sets(neighborhoods):
    """One list of node ids per row, per hop count."""
    return [
        [
            neighborhoods.of(node, hop).tolist()
            for node in range(neighborhoods.num_nodes)
        ]
        for hop in range(1, neighborhoods.hops + 1)
    ]


def ordered(stacked):
    return [[sorted(row) for row in rows] for rows in stacked]


@settings(deadline=None, max_examples=100, derandomize=True)
@given(weighted_digraphs(), HOPS)
def test_balls_agree_with_breadth_first_search(drawn, hops):
    num_nodes, edges, _ = drawn
    expected = ordered(brute.balls(edges, num_nodes, hops))
    assert sets(graph_of(drawn).neighborhoods(hops)) == expected


@settings(deadline=None, max_examples=100, derandomize=True)
@given(weighted_digraphs(), HOPS)
def test_exact_neighborhoods_agree_with_walks(drawn, hops):
    num_nodes, edges, _ = drawn
    expected = ordered(brute.spheres(edges, num_nodes, hops))
    assert sets(graph_of(drawn).neighborhoods(hops, exact=True)) == expected


@settings(deadline=None, max_examples=50, derandomize=True)
@given(weighted_digraphs(), HOPS, st.booleans())
def test_neighborhoods_are_the_support_of_powers(drawn, hops, exact):
    graph = graph_of(drawn)
    step = (graph.to_dense().numpy() != 0).astype(int)
    if not exact:
        step = step + np.eye(graph.num_nodes, dtype=int)
    expected = [
        [np.flatnonzero(row).tolist() for row in np.linalg.matrix_power(step, k)]
        for k in range(1, hops + 1)
    ]
    assert sets(graph.neighborhoods(hops, exact=exact)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_balls_agree_with_shortest_paths_of_networkx(seed):
    theirs = nx.gnp_random_graph(60, 0.04, seed=seed, directed=True)
    found = Graph.from_networkx(theirs).neighborhoods(4)
    for node in theirs:
        distance = nx.single_target_shortest_path_length(theirs, node)
        for hop in range(1, 5):
            expected = sorted(j for j, d in dict(distance).items() if d <= hop)
            assert found.of(node, hop).tolist() == expected


def test_rows_are_stacked_hop_by_hop(chain):
    found = chain.neighborhoods(2)
    assert found.indptr.tolist() == [0, 1, 3, 5, 6, 8, 11]
    assert found.indices.tolist() == [0, 0, 1, 1, 2, 0, 0, 1, 0, 1, 2]
    assert (found.hops, found.num_nodes, found.ends) == (2, 3, (5, 11))
    assert (found.indptr.dtype, found.indices.dtype) == (torch.int64, torch.int32)


def test_directions_are_those_of_the_paper(chain):
    assert sets(chain.neighborhoods(2, exact=True)) == [
        [[], [0], [1]],
        [[], [], [0]],
    ]
    assert torch.equal(
        chain.to_dense() @ torch.tensor([1.0, 0, 0]), torch.tensor([0.0, 1, 0])
    )


@settings(deadline=None, max_examples=50, derandomize=True)
@given(weighted_digraphs())
def test_balls_are_nested_and_hold_their_node(drawn):
    rows = sets(graph_of(drawn).neighborhoods(4))
    for node in range(drawn[0]):
        assert node in rows[0][node]
        for inner, outer in itertools.pairwise(rows):
            assert set(inner[node]) <= set(outer[node])


def test_exact_neighborhoods_are_not_nested():
    edge = Graph.from_edges([(0, 1), (1, 0)])
    assert sets(edge.neighborhoods(2, exact=True)) == [[[1], [0]], [[0], [1]]]


def test_balls_stop_growing_at_the_component():
    rows = sets(Graph.from_networkx(nx.path_graph(5)).neighborhoods(6))
    assert rows[3] == rows[4] == rows[5] == [[0, 1, 2, 3, 4]] * 5
    assert rows[2] != rows[3]


def test_signed_weights_never_cancel():
    # two paths of two hops from 0 to 3, of weight +1 and -1: their sum is 0
    edges, weight = [(0, 1), (0, 2), (1, 3), (2, 3)], [1.0, 1.0, 1.0, -1.0]
    graph = Graph.from_edges(edges, weight=weight)
    assert (graph.to_dense() @ graph.to_dense())[3, 0] == 0
    assert graph.neighborhoods(2, exact=True).of(node=3, hop=2).tolist() == [0]
    assert graph.neighborhoods(2).of(node=3, hop=2).tolist() == [0, 1, 2, 3]
    loop = Graph.from_edges([(0, 0), (0, 1)], weight=[-1.0, 1.0])  # I + A has a zero
    assert loop.neighborhoods(1).of(node=0, hop=1).tolist() == [0]


def test_two_hops_reach_all_of_a_dense_random_graph():
    graph = vc.graphs.erdos_renyi(100, 0.4, seed=0)
    found = graph.neighborhoods(3)
    everyone = torch.arange(100, dtype=torch.int32).repeat(100)
    assert torch.equal(found.indices[found.ends[0] : found.ends[1]], everyone)
    assert torch.equal(found.indices[found.ends[1] :], everyone)
    assert found.ends[0] == graph.num_edges + 100


def test_a_graph_without_edges_has_balls_of_one_node():
    empty = Graph.from_edges([], num_nodes=3)
    assert sets(empty.neighborhoods(2)) == [[[0], [1], [2]]] * 2
    assert sets(empty.neighborhoods(2, exact=True)) == [[[], [], []]] * 2


@pytest.mark.parametrize("exact", [False, True])
def test_the_smallest_neighborhood_is_known(exact, digraph, chain):
    for graph in (digraph, chain):
        rows = sets(graph.neighborhoods(3, exact=exact))
        for hops in (1, 2, 3):
            smallest = min(len(row) for per_hop in rows[:hops] for row in per_hop)
            found = graph.neighborhoods(hops, exact=exact)
            assert found.smallest == smallest


def test_rows_made_in_many_blocks_are_the_same(monkeypatch, digraph):
    monkeypatch.setattr("vicinal.kernels.hops.uses_native", lambda tensor: False)
    both = (False, True)
    whole = {exact: sets(digraph.neighborhoods(3, exact=exact)) for exact in both}
    for entries in (1, 10, 37):
        monkeypatch.setattr("vicinal.kernels.hops._BLOCK", entries)
        for exact, expected in whole.items():
            again = digraph.reverse().reverse()  # keeps nothing yet
            assert sets(again.neighborhoods(3, exact=exact)) == expected


@pytest.mark.parametrize("exact", [False, True])
def test_one_hop_of_a_large_graph_is_found_in_linear_time(exact):
    size = 2_000_000  # node by node over all blocks of nodes this took minutes
    near = np.arange(size - 1)
    graph = vc.Graph.from_edges(np.stack([near, near + 1]), size)
    start = time.perf_counter()
    found = graph.neighborhoods(1, exact=exact)
    assert time.perf_counter() - start < 5
    assert found.of(node=size - 1, hop=1).tolist() == [size - 2, size - 1][: 2 - exact]
    assert found.indices.numel() == size - 1 + (0 if exact else size)
