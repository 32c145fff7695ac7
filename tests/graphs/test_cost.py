"""What neighbourhoods will take, said before anything is allocated."""

import tracemalloc

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


def star(num_leaves):
    """A hub and leaves: two hops reach everything from everywhere."""
    leaves = np.arange(1, num_leaves + 1)
    hub = np.zeros_like(leaves)
    ends = np.stack([np.append(leaves, hub), np.append(hub, leaves)])
    return Graph.from_edges(ends, num_nodes=num_leaves + 1)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(weighted_digraphs(), st.integers(1, 4), st.integers(0, 3), st.integers(0, 3))
def test_cost_agrees_with_loops_over_sets(drawn, hops, features, batch):
    num_nodes, edges, _ = drawn
    sizes = [[len(b) for b in rows] for rows in brute.balls(edges, num_nodes, hops)]
    entries = sum(map(sum, sizes))
    cost = graph_of(drawn).cost(hops, features, batch)
    assert cost.hops == hops
    assert cost.mean_ball == pytest.approx([sum(s) / num_nodes for s in sizes])
    assert cost.largest_ball == tuple(max(s) for s in sizes)
    assert cost.operations == entries * features * batch
    assert cost.neighborhood_bytes == 4 * entries + 8 * (hops * num_nodes + 1)
    assert cost.signal_bytes == batch * hops * num_nodes * features * (4 + 4)
    assert not cost.sampled


@pytest.mark.parametrize("num_nodes", [49, 98, 103, 107, 161, 187, 196, 1000])
def test_numbers_of_nodes_that_do_not_divide_evenly_lose_no_byte(num_nodes):
    graph = Graph.from_edges([(0, 1), (1, 2)], num_nodes)  # balls of 1, 2 and 3 nodes
    entries = (num_nodes + 2) + (num_nodes + 3)
    cost = graph.cost(2)
    assert cost.operations == entries
    assert cost.neighborhood_bytes == 4 * entries + 8 * (2 * num_nodes + 1)


@pytest.mark.parametrize("hops", [0, 1, 3])
def test_bytes_are_those_of_the_neighborhoods(digraph, hops):
    found = digraph.neighborhoods(hops)
    stored = found.indptr.nbytes + found.indices.nbytes
    assert digraph.cost(hops).neighborhood_bytes == stored


def test_no_hops_cost_nothing(digraph):
    cost = digraph.cost(0, features=8, batch=2)
    assert (cost.mean_ball, cost.largest_ball) == ((), ())
    assert (cost.signal_bytes, cost.operations) == (0, 0)


def test_a_graph_without_edges_has_balls_of_one():
    cost = Graph.from_edges([], num_nodes=4).cost(3)
    assert cost.mean_ball == (1.0, 1.0, 1.0)
    assert cost.largest_ball == (1, 1, 1)


def test_a_sample_of_a_ring_is_exact():
    ring = Graph.from_networkx(nx.cycle_graph(1500))
    cost = ring.cost(3, features=2, batch=5)
    assert cost.sampled
    assert cost.mean_ball == (3.0, 5.0, 7.0)
    assert cost.largest_ball == (3, 5, 7)
    assert cost.operations == 15 * 1500 * 2 * 5
    assert not Graph.from_networkx(nx.cycle_graph(1000)).cost(1).sampled


def test_a_sample_is_the_same_twice():
    graph = vc.graphs.nearest_neighbors(1200, 3, seed=0)
    assert graph.cost(2) == graph.cost(2)


def test_nothing_is_allocated_to_say_the_cost_of_a_large_graph():
    graph = star(5000)
    tracemalloc.start()
    try:
        cost = graph.cost(2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert cost.sampled
    assert (cost.mean_ball[1], cost.largest_ball[1]) == (5001, 5001)
    assert cost.neighborhood_bytes > 4 * 5001**2  # 95 MB
    assert peak < 10 * 2**20


def test_cost_keeps_nothing(digraph):
    before = digraph.neighborhoods(1)
    digraph.cost(3)
    assert digraph.neighborhoods(1) is before


def test_cost_reads_as_a_sentence():
    ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    text = str(ring.cost(2, features=1000, batch=1000))
    assert "1: 2.0 (largest 2), 2: 3.0 (largest 3)" in text
    assert "signals 48.0 MB" in text
    assert "15.0 million values" in text
    assert "sampled" not in text


def test_a_training_step_of_the_paper_looks_at_fewer_values_than_a_padded_gather():
    graph = vc.graphs.erdos_renyi(100, 0.4, seed=0)
    cost = graph.cost(1, features=32, batch=100)
    degrees = graph.indptr.diff() + 1  # each node hears itself as well
    assert cost.operations == 100 * 32 * int(degrees.sum())
    padded = 100 * 32 * 100 * cost.largest_ball[0]
    assert padded == pytest.approx(18e6, rel=0.1)
    assert cost.operations < 0.8 * padded


@pytest.mark.parametrize("name", ["features", "batch"])
@pytest.mark.parametrize("value", ["4", -1, 1.5, True, None])
def test_features_and_batch_are_checked(digraph, name, value):
    with pytest.raises((TypeError, ValueError), match=rf"`{name}` must .*got "):
        digraph.cost(2, **{name: value})


def test_an_absurd_number_of_hops_is_refused():
    ring = vc.Graph.from_edges([(0, 1), (1, 0)])
    with pytest.raises(ValueError, match="`hops` must be at most 1000000"):
        ring.cost(10**12)
    for local in (vc.functional.local_median, vc.functional.local_max):
        with pytest.raises(ValueError, match="`hops` must"):
            local(torch.randn(2, 1), ring, 10**12)
