"""One weighted digraph through every constructor, and back again."""

import warnings

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import torch
from graphs.strategies import graph_of, weighted_digraphs
from hypothesis import given, settings

import vicinal as vc

# 1 -> 2 (-0.5), 2 -> 0 (3), 0 -> 2 (0.25), 0 -> 1 (2), in no particular order
PAIRS = [(1, 2), (2, 0), (0, 2), (0, 1)]
WEIGHT = [-0.5, 3.0, 0.25, 2.0]
PAPER = np.array([[0, 0, 3], [2, 0, 0], [0.25, -0.5, 0]])  # [A]_ij: weight of j -> i
EDGE_INDEX = torch.tensor([[1, 2, 0, 0], [2, 0, 2, 1]])

Graph = vc.Graph


@pytest.fixture(scope="module")
def pyg():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # PyG scripts on import
        return pytest.importorskip("torch_geometric.data")


@pytest.fixture
def graph():
    return Graph.from_edges(PAIRS, 3, WEIGHT)


def assert_is_the_digraph(graph):
    assert graph.indptr.tolist() == [0, 1, 2, 4]
    assert graph.indices.tolist() == [2, 0, 0, 1]  # in-neighbours, by node id
    assert graph.weight.tolist() == [3.0, 2.0, 0.25, -0.5]
    assert graph == Graph.from_edges(PAIRS, 3, WEIGHT)


FORMS = {
    "tensor": lambda: Graph.from_edges(EDGE_INDEX, 3, torch.tensor(WEIGHT)),
    "int32 tensor": lambda: Graph.from_edges(EDGE_INDEX.int(), 3, WEIGHT),
    "transposed tensor": lambda: Graph.from_edges(torch.tensor(PAIRS).T, 3, WEIGHT),
    "array": lambda: Graph.from_edges(EDGE_INDEX.numpy(), 3, np.array(WEIGHT)),
    "pairs": lambda: Graph.from_edges(PAIRS, 3, WEIGHT),
    "iterator": lambda: Graph.from_edges(iter(PAIRS), 3, tuple(WEIGHT)),
    "no node count": lambda: Graph.from_edges(PAIRS, weight=WEIGHT),
    "dense": lambda: Graph.from_dense(PAPER),
    "dense tensor": lambda: Graph.from_dense(torch.tensor(PAPER).float()),
    "dense lists": lambda: Graph.from_dense(PAPER.tolist()),
    "dense out": lambda: Graph.from_dense(PAPER.T, orientation="out"),
    "csr": lambda: Graph.from_scipy(scipy.sparse.csr_array(PAPER)),
    "csc": lambda: Graph.from_scipy(scipy.sparse.csc_array(PAPER)),
    "coo": lambda: Graph.from_scipy(scipy.sparse.coo_array(PAPER)),
    "csr matrix": lambda: Graph.from_scipy(scipy.sparse.csr_matrix(PAPER)),
    "scipy out": lambda: Graph.from_scipy(
        scipy.sparse.csr_array(PAPER.T), orientation="out"
    ),
    "edge_index": lambda: Graph.from_pyg(EDGE_INDEX, 3, torch.tensor(WEIGHT)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_graph(form):
    assert_is_the_digraph(FORMS[form]())


def test_networkx_gives_the_same_graph():
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(3))
    theirs.add_weighted_edges_from(
        (u, v, w) for (u, v), w in zip(PAIRS, WEIGHT, strict=True)
    )
    assert_is_the_digraph(Graph.from_networkx(theirs))


def test_pyg_data_gives_the_same_graph(pyg):
    weight = torch.tensor(WEIGHT)
    data = pyg.Data(edge_index=EDGE_INDEX, edge_weight=weight, num_nodes=3)
    assert_is_the_digraph(Graph.from_pyg(data))


def test_pyg_data_knows_the_number_of_nodes(pyg):
    data = pyg.Data(x=torch.zeros(5, 2), edge_index=EDGE_INDEX)
    assert Graph.from_pyg(data).num_nodes == 5
    assert Graph.from_pyg(data, num_nodes=7).num_nodes == 7
    assert Graph.from_pyg(data).weight.tolist() == [1.0] * 4


def test_pyg_data_of_edges_alone_raises_no_warning(pyg):
    assert Graph.from_pyg(pyg.Data(edge_index=EDGE_INDEX)).num_nodes == 3


def test_back_to_edges(graph):
    edge_index, weight = graph.to_edges()
    assert edge_index.dtype == torch.int64
    triples = zip(*edge_index.tolist(), weight.tolist(), strict=True)
    assert {(u, v): w for u, v, w in triples} == dict(zip(PAIRS, WEIGHT, strict=True))


def test_back_to_matrices(graph):
    assert np.array_equal(graph.to_dense().numpy(), PAPER)
    assert np.array_equal(graph.to_dense(orientation="out").numpy(), PAPER.T)
    assert np.array_equal(graph.to_scipy().toarray(), PAPER)
    assert np.array_equal(graph.to_scipy(orientation="out").toarray(), PAPER.T)


def test_back_to_networkx(graph):
    theirs = graph.to_networkx()
    assert list(theirs) == [0, 1, 2]
    assert np.array_equal(nx.to_numpy_array(theirs), PAPER.T)  # its rows leave a node


def test_back_to_pyg(graph, pyg):
    data = graph.to_pyg()
    assert isinstance(data, pyg.Data)
    assert data.num_nodes == 3
    assert_is_the_digraph(Graph.from_pyg(data))


@settings(deadline=None, max_examples=50, derandomize=True)
@given(weighted_digraphs())
def test_every_form_leads_back_to_the_graph(drawn):
    graph = graph_of(drawn)
    edge_index, weight = graph.to_edges()
    assert Graph.from_edges(edge_index, graph.num_nodes, weight) == graph
    assert Graph.from_networkx(graph.to_networkx()) == graph
    for way in ("in", "out"):
        assert Graph.from_dense(graph.to_dense(way), orientation=way) == graph
        assert Graph.from_scipy(graph.to_scipy(way), orientation=way) == graph


@settings(deadline=None, max_examples=50, derandomize=True)
@given(weighted_digraphs())
def test_rows_are_the_sorted_edges_that_enter(drawn):
    num_nodes, edges, weight = drawn
    graph = graph_of(drawn)
    for node in range(num_nodes):
        row = slice(graph.indptr[node], graph.indptr[node + 1])
        entering = sorted(
            (u, w) for (u, v), w in zip(edges, weight, strict=True) if v == node
        )
        assert graph.indices[row].tolist() == [u for u, _ in entering]
        assert graph.weight[row].tolist() == [w for _, w in entering]


@pytest.mark.parametrize(
    "edges", [[], torch.zeros(2, 0, dtype=torch.long), np.zeros((2, 0), dtype=int)]
)
def test_a_graph_may_have_no_edges(edges):
    graph = Graph.from_edges(edges, num_nodes=3)
    assert (graph.num_nodes, graph.num_edges) == (3, 0)
    assert graph == Graph.from_dense(np.zeros((3, 3)))


def test_a_graph_may_have_one_node():
    assert Graph.from_dense([[0.0]]).num_nodes == 1
    assert Graph.from_dense([[2.0]]).weight.tolist() == [2.0]


def test_float64_weights_stay_float64_and_others_become_float32():
    for given_type, kept_type in [
        (torch.float64, torch.float64),
        (torch.float32, torch.float32),
        (torch.bfloat16, torch.float32),
        (torch.float16, torch.float32),
        (torch.int64, torch.float32),
        (torch.bool, torch.float32),
    ]:
        weight = torch.ones(4, dtype=given_type)
        assert Graph.from_edges(EDGE_INDEX, 3, weight).weight.dtype == kept_type


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.bool])
def test_a_dense_tensor_of_any_number_type_is_read(dtype):
    assert Graph.from_dense(torch.eye(2).to(dtype)) == Graph.from_dense(np.eye(2))
