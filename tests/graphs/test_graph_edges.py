"""Parallel edges, self loops, explicit zeros, and what networkx graphs bring along."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import torch

import vicinal as vc

Graph = vc.Graph
TWICE = [(0, 1), (1, 2), (0, 1)]


def test_parallel_edges_are_refused_with_the_remedy():
    words = r"`edges` must not repeat an edge, got 0 -> 1 twice; .*duplicates='sum'"
    with pytest.raises(ValueError, match=words):
        Graph.from_edges(TWICE)


def test_parallel_edges_are_summed_when_asked():
    graph = Graph.from_edges(TWICE, weight=[1.0, 5.0, 2.5], duplicates="sum")
    assert graph == Graph.from_edges([(0, 1), (1, 2)], weight=[3.5, 5.0])


def test_edges_of_both_directions_are_not_parallel():
    assert Graph.from_edges([(0, 1), (1, 0)]).num_edges == 2


def test_pyg_parallel_edges_are_refused_or_summed():
    edge_index = torch.tensor(TWICE).T
    with pytest.raises(ValueError, match="must not repeat an edge"):
        Graph.from_pyg(edge_index)
    assert Graph.from_pyg(edge_index, duplicates="sum").weight.tolist() == [2.0, 1.0]


def test_parallel_edges_whose_weights_cancel_are_still_an_edge():
    graph = Graph.from_edges([(0, 1), (0, 1)], weight=[1.0, -1.0], duplicates="sum")
    assert graph.num_edges == 1
    assert graph.weight.tolist() == [0.0]


def test_parallel_edges_must_not_sum_to_infinity():
    weight = np.array([3e38, 3e38], dtype=np.float32)
    with pytest.raises(ValueError, match="`weight` must be finite"):
        Graph.from_edges([(0, 1), (0, 1)], weight=weight, duplicates="sum")


LOOPS = [(0, 0), (0, 1), (1, 1)]


def test_self_loops_are_kept():
    assert torch.equal(
        Graph.from_edges(LOOPS).to_dense(), torch.tensor([[1.0, 0], [1, 1]])
    )


def test_self_loops_are_dropped_when_told():
    plain = Graph.from_edges([(0, 1)])
    matrix = np.array([[3.0, 0], [1, 2]])
    assert Graph.from_edges(LOOPS, self_loops=False) == plain
    assert Graph.from_dense(matrix, self_loops=False) == plain
    assert Graph.from_scipy(scipy.sparse.csr_array(matrix), self_loops=False) == plain


def test_a_repeated_self_loop_that_is_dropped_does_no_harm():
    graph = Graph.from_edges([(0, 0), (0, 0), (0, 1)], self_loops=False)
    assert graph.num_edges == 1


def test_zeros_of_an_edge_list_are_edges():
    graph = Graph.from_edges([(0, 1), (1, 0)], weight=[0.0, 2.0])
    assert graph.num_edges == 2
    assert graph.neighborhoods(1, exact=True).of(node=1, hop=1).tolist() == [0]


def test_zeros_of_a_matrix_are_no_edges():
    stored = scipy.sparse.coo_array(([0.0, 2.0], ([0, 1], [1, 0])), shape=(2, 2))
    assert stored.nnz == 2  # SciPy stores the zero
    assert Graph.from_scipy(stored) == Graph.from_edges([(0, 1)], weight=[2.0])
    assert Graph.from_dense(stored.toarray()) == Graph.from_scipy(stored)


def test_repeated_entries_of_a_coo_matrix_are_summed_as_scipy_does():
    stored = scipy.sparse.coo_array(([1.0, 2.0], ([1, 1], [0, 0])), shape=(2, 2))
    assert Graph.from_scipy(stored) == Graph.from_dense(stored.toarray())
    assert stored.nnz == 2  # the caller's matrix is as it was


def test_networkx_nodes_are_numbered_in_their_own_order():
    theirs = nx.DiGraph()
    theirs.add_nodes_from(["c", "a", "b"])
    theirs.add_edge("a", "c", weight=4.0)
    assert Graph.from_networkx(theirs) == Graph.from_edges([(1, 0)], 3, [4.0])


def test_networkx_weights_come_from_the_named_attribute():
    theirs = nx.DiGraph()
    theirs.add_edge(0, 1, weight=4.0, length=7.0)
    theirs.add_edge(1, 2)
    assert Graph.from_networkx(theirs).weight.tolist() == [4.0, 1.0]
    assert Graph.from_networkx(theirs, weight="length").weight.tolist() == [7.0, 1.0]
    assert Graph.from_networkx(theirs, weight=None).weight.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_every_kind_of_networkx_graph_agrees_with_its_matrix(kind):
    theirs = kind([(0, 1, {"weight": 2.0}), (1, 2), (1, 2), (2, 1), (2, 2)])
    theirs.add_edge(0, 1, weight=3.0)
    matrix = nx.to_numpy_array(theirs)  # its rows leave a node
    assert Graph.from_networkx(theirs) == Graph.from_dense(matrix, orientation="out")
