"""Shift operators by name against dense formulas, networkx and PyG."""

import networkx as nx
import numpy as np
import pytest
import torch
from graphs.strategies import POSITIVE, graph_of, weighted_digraphs
from hypothesis import given, settings

import vicinal as vc
from vicinal.graphs.shifts import SHIFTS

Graph = vc.Graph


def inverse(degree, power):
    """Powers of the degrees, 0 where there is no weight."""
    return np.diag([d**power if d > 0 else 0.0 for d in degree])


def both_sides(a):
    half = inverse(a.sum(axis=1), -0.5)
    return half @ a @ half


def identity(a):
    return np.eye(len(a))


FORMULAS = {
    "adjacency": lambda a: a,
    "unweighted": lambda a: (a != 0) * 1.0,
    "self_loops": lambda a: identity(a) + (a != 0),
    "laplacian": lambda a: np.diag(a.sum(axis=1)) - a,
    "unweighted_laplacian": lambda a: np.diag((a != 0).sum(axis=1)) - (a != 0) * 1.0,
    "random_walk": lambda a: inverse(a.sum(axis=1), -1.0) @ a,
    "symmetric": both_sides,
    "random_walk_with_self_loops": lambda a: np.linalg.solve(
        np.diag(a.sum(axis=1)) + identity(a), a + identity(a)
    ),
    "symmetric_with_self_loops": lambda a: both_sides(a + identity(a)),
}
NORMALISED = [name for name in FORMULAS if "walk" in name or "symmetric" in name]


@pytest.fixture
def weighted():
    """A weighted digraph whose node 0 nothing enters and node 1 nothing leaves."""
    rng = np.random.default_rng(5)
    matrix = rng.uniform(0.1, 3.0, (12, 12)) * (rng.random((12, 12)) < 0.3)
    np.fill_diagonal(matrix, 0)
    matrix[0], matrix[:, 1] = 0, 0
    return matrix


def dense(graph, name, **options):
    options = {"scaled": False, "dtype": torch.float64} | options
    return graph.shift(name, **options).to_dense().numpy()


def test_every_shift_has_its_formula():
    assert set(FORMULAS) == set(SHIFTS)


@pytest.mark.parametrize("name", FORMULAS)
def test_shifts_agree_with_their_formulas(name, weighted):
    found = dense(Graph.from_dense(weighted), name)
    assert np.allclose(found, FORMULAS[name](weighted), atol=1e-13)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(weighted_digraphs(POSITIVE))
def test_shifts_of_any_digraph_agree_with_their_formulas(drawn):
    num_nodes, edges, weight = drawn
    plain = [(e, w) for e, w in zip(edges, weight, strict=True) if e[0] != e[1]]
    graph = graph_of((num_nodes, [e for e, _ in plain], [w for _, w in plain]))
    matrix = graph.to_dense().double().numpy()
    for name, formula in FORMULAS.items():
        assert np.allclose(dense(graph, name), formula(matrix), atol=1e-13), name


def test_the_default_is_the_adjacency_divided_by_its_spectral_radius(weighted):
    radius = np.abs(np.linalg.eigvals(weighted)).max()
    found = Graph.from_dense(weighted).shift().to_dense()
    assert found.dtype == torch.float32
    assert np.allclose(found.numpy(), weighted / radius, atol=1e-6)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_scaled_shift_has_spectral_radius_one(name, weighted):
    formula = FORMULAS[name](weighted)
    radius = np.abs(np.linalg.eigvals(formula)).max()
    found = dense(Graph.from_dense(weighted), name, scaled=True)
    assert np.allclose(found, formula / radius, atol=1e-10)


def test_undirected_laplacians_agree_with_networkx():
    theirs = nx.karate_club_graph()  # weighted
    graph = Graph.from_networkx(theirs)
    laplacian = nx.laplacian_matrix(theirs).toarray()
    normalised = nx.normalized_laplacian_matrix(theirs).toarray()
    unweighted = nx.laplacian_matrix(theirs, weight=None).toarray()
    assert np.allclose(dense(graph, "laplacian"), laplacian)
    assert np.allclose(dense(graph, "unweighted_laplacian"), unweighted)
    assert np.allclose(np.eye(34) - dense(graph, "symmetric"), normalised)


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated")  # PyG's import
def test_the_gcn_propagation_agrees_with_pyg():
    gcn = pytest.importorskip("torch_geometric.nn.conv.gcn_conv")
    graph = Graph.from_networkx(nx.karate_club_graph())
    edge_index, weight = graph.to_edges()
    index, value = gcn.gcn_norm(edge_index, weight.double())
    expected = np.zeros((34, 34))
    expected[index[1], index[0]] = value
    assert np.allclose(dense(graph, "symmetric_with_self_loops"), expected)


def test_shift_aggregates_over_the_neighbors_that_feed_a_node(chain):
    impulse = np.array([1.0, 0.0, 0.0])
    assert dense(chain, "adjacency") @ impulse == pytest.approx([0.0, 1.0, 0.0])


def test_weights_of_zero_are_ones_without_weights():
    graph = Graph.from_edges([(0, 1), (1, 0)], weight=[0.0, 2.0])
    assert dense(graph, "unweighted").tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_a_graph_without_edges_has_shifts_of_zeros_and_identities():
    empty = Graph.from_edges([], num_nodes=3)
    for name in FORMULAS:
        expected = np.eye(3) if "self_loops" in name else np.zeros((3, 3))
        assert np.array_equal(dense(empty, name), expected), name
        if "self_loops" in name:
            assert np.allclose(dense(empty, name, scaled=True), expected)


@pytest.mark.parametrize(
    "name", ["adjacency", "unweighted", "random_walk", "symmetric"]
)
def test_a_graph_without_cycles_cannot_be_scaled(name, chain):
    words = rf"`graph` must .*{name}.*got radius 0; pass `scaled=False`"
    for graph in (chain, Graph.from_edges([], num_nodes=2)):
        with pytest.raises(ValueError, match=words):
            graph.shift(name)


@pytest.mark.parametrize("name", NORMALISED)
def test_negative_degrees_are_not_normalised(name):
    graph = Graph.from_edges([(0, 1), (1, 0)], weight=[-2.0, 1.0])
    words = r"`graph` must have weighted in-degrees .*got -[12].*'adjacency'"
    with pytest.raises(ValueError, match=words):
        graph.shift(name, scaled=False)


@pytest.mark.parametrize("name", ["random_walk", "symmetric"])
def test_weights_that_cancel_are_not_normalised_to_nothing(name):
    graph = Graph.from_edges([(0, 2), (1, 2), (2, 0)], weight=[1.0, -1.0, 1.0])
    with pytest.raises(ValueError, match="`graph` must have weighted in-degrees"):
        graph.shift(name, scaled=False)


def test_signed_weights_are_shifted_as_they_are():
    matrix = np.array([[0.0, -2.0], [1.0, 0.0]])
    graph = Graph.from_dense(matrix)
    assert np.array_equal(dense(graph, "adjacency"), matrix)
    assert np.allclose(dense(graph, "adjacency", scaled=True), matrix / np.sqrt(2))
    assert np.array_equal(dense(graph, "laplacian"), [[-2.0, 2.0], [-1.0, 1.0]])


def test_shifts_are_kept_once_computed(digraph):
    kept = digraph.shift("laplacian")
    assert digraph.shift("laplacian") is kept
    assert digraph.prepare(shift="laplacian").shift("laplacian") is kept
    assert digraph.shift("laplacian", scaled=False) is not kept
    assert (
        digraph.shift("laplacian", dtype=torch.float64).rows[2].dtype == torch.float64
    )
    assert digraph.shift("laplacian").rows[2].dtype == torch.float32
