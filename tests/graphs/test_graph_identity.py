"""Renumbering, turning round, moving; equality, hashes and immutability."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
import torch
from graphs.strategies import graph_of, weighted_digraphs
from hypothesis import given, settings
from hypothesis import strategies as st

import vicinal as vc

Graph = vc.Graph


@pytest.fixture
def graph():
    return Graph.from_edges([(0, 1), (1, 2), (2, 0), (0, 2)], 3, [2.0, -0.5, 3.0, 0.25])


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.data(), weighted_digraphs())
def test_permute_renumbers_rows_and_columns(data, drawn):
    graph = graph_of(drawn)
    order = data.draw(st.permutations(range(graph.num_nodes)))
    expected = graph.to_dense().numpy()[np.ix_(order, order)]
    assert np.array_equal(graph.permute(order).to_dense().numpy(), expected)


def test_a_signal_is_permuted_by_indexing_with_the_order(digraph):
    order = torch.randperm(digraph.num_nodes)
    x = torch.randn(digraph.num_nodes, dtype=torch.float64)
    shifted = digraph.to_dense().double() @ x
    permuted = digraph.permute(order).to_dense().double() @ x[order]
    assert torch.allclose(permuted, shifted[order], atol=1e-12)


def test_permuting_back_gives_the_graph_again(graph):
    order = [2, 0, 1]  # not its own inverse
    assert graph.permute(order) != graph
    assert graph.permute(order).permute([1, 2, 0]) == graph


@pytest.mark.parametrize(
    "order", [(2, 0, 1), np.array([2, 0, 1], dtype=np.int32), torch.tensor([2, 0, 1])]
)
def test_the_order_may_be_a_sequence_an_array_or_a_tensor(graph, order):
    assert graph.permute(order) == graph.permute([2, 0, 1])


@settings(deadline=None, max_examples=25, derandomize=True)
@given(weighted_digraphs())
def test_reverse_transposes(drawn):
    graph = graph_of(drawn)
    assert torch.equal(graph.reverse().to_dense(), graph.to_dense().T)
    assert graph.reverse().reverse() == graph


def test_permute_and_reverse_keep_the_type_of_the_weights():
    for dtype in (torch.float32, torch.float64):
        graph = Graph.from_edges([(0, 1)], weight=torch.ones(1, dtype=dtype))
        assert graph.permute([1, 0]).weight.dtype == dtype
        assert graph.reverse().weight.dtype == dtype


def test_to_moves_the_graph_with_all_that_it_keeps(graph):
    moved = graph.prepare(hops=2, shift="adjacency").to("meta")
    assert moved.device.type == "meta"
    assert (moved.num_nodes, moved.num_edges) == (3, 4)
    assert moved.neighborhoods(2).indices.device.type == "meta"
    assert moved.shift("adjacency").rows[2].device.type == "meta"
    assert graph.device.type == "cpu"


def test_to_moves_a_shift_operator_that_is_kept_sparse():
    ring = Graph.from_edges([(i, (i + 1) % 20) for i in range(20)])
    moved = ring.prepare(shift="adjacency").to("meta")
    assert moved.shift("adjacency").rows[2].device.type == "meta"


def test_to_the_same_device_changes_nothing(graph):
    assert graph.to("cpu") == graph
    assert graph.to(torch.device("cpu")).neighborhoods(1).hops == 1


OTHERS = {
    "weight": ([(0, 1), (1, 2)], 3, [1.0, 3.0]),
    "edge": ([(0, 1), (0, 2)], 3, [1.0, 2.0]),
    "direction": ([(1, 0), (2, 1)], 3, [1.0, 2.0]),
    "number of nodes": ([(0, 1), (1, 2)], 4, [1.0, 2.0]),
    "number of edges": ([(0, 1)], 3, [1.0]),
}


@pytest.mark.parametrize("changed", OTHERS)
def test_graphs_that_differ_in_anything_are_not_equal(changed):
    graph = Graph.from_edges([(0, 1), (1, 2)], 3, [1.0, 2.0])
    other = Graph.from_edges(*OTHERS[changed])
    assert graph != other
    assert graph.content_hash() != other.content_hash()
    assert len({graph, other}) == 2


def test_equal_graphs_have_equal_hashes():
    first = Graph.from_edges([(0, 1), (1, 2)], 3, [1.0, 2.0])
    second = Graph.from_edges([(1, 2), (0, 1)], 3, torch.tensor([2.0, 1.0]))
    assert first.weight.dtype != second.weight.dtype  # equal numbers are enough
    assert first == second
    assert first.content_hash() == second.content_hash()
    assert len({first, second}) == 1


def test_a_graph_equals_nothing_else(graph):
    assert graph != "graph"
    assert graph != graph.to_dense().tolist()


def test_what_a_graph_keeps_does_not_change_its_hash(graph):
    before = graph.content_hash()
    assert graph.prepare(hops=2, shift="adjacency").content_hash() == before
    assert len(before) == 64
    assert int(before, 16) >= 0  # hexadecimal


def test_the_hash_of_a_copy_is_the_same(graph):
    assert copy.deepcopy(graph) == graph
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_repr_says_the_sizes(graph):
    assert repr(graph) == "Graph(num_nodes=3, num_edges=4)"


@pytest.mark.parametrize("name", ["indptr", "indices", "weight", "num_nodes", "extra"])
def test_attributes_cannot_be_set(graph, name):
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        setattr(graph, name, torch.zeros(4))


def test_changing_what_a_graph_was_made_of_does_not_change_it():
    edges, weight = torch.tensor([[0, 1], [1, 2]]), torch.ones(2)
    graph = Graph.from_edges(edges, 3, weight)
    expected = Graph.from_edges([(0, 1), (1, 2)], 3)
    edges.zero_()
    weight.zero_()
    assert graph == expected


HANDED_OUT = {
    "to_edges": lambda graph: graph.to_edges()[1],
    "to_dense": lambda graph: graph.to_dense(),
    "to_scipy": lambda graph: graph.to_scipy().data,
    "shift": lambda graph: graph.shift("adjacency", scaled=False).to_dense(),
}


@pytest.mark.parametrize("name", HANDED_OUT)
def test_changing_what_a_graph_hands_out_does_not_change_it(graph, name):
    untouched = copy.deepcopy(graph)
    graph.shift("adjacency", scaled=False)
    HANDED_OUT[name](graph)[:] = 9.0
    assert graph == untouched
    assert torch.equal(
        graph.shift("adjacency", scaled=False).to_dense().double(),
        untouched.to_dense().double(),
    )
