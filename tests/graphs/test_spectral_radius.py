"""The spectral radius: small and large, symmetric and directed, normal and not."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import torch

import vicinal as vc
from vicinal.graphs.shifts import SHIFTS, spectral_radius

SIZES = [10, 64, 65, 150]


def radius(matrix):
    return spectral_radius(scipy.sparse.csr_array(np.asarray(matrix, dtype=float)))


def dense_radius(matrix):
    return np.abs(np.linalg.eigvals(matrix)).max()


def random_matrix(size, density=0.1, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.1, 2.0, (size, size)) * (rng.random((size, size)) < density)


def cycle(weight):
    """Node i feeds node i + 1, the last one the first."""
    size = len(weight)
    matrix = np.zeros((size, size))
    matrix[(np.arange(size) + 1) % size, np.arange(size)] = weight
    return matrix


@pytest.mark.parametrize("size", SIZES)
def test_symmetric_matrices_agree_with_numpy(size):
    matrix = random_matrix(size) + random_matrix(size).T
    assert radius(matrix) == pytest.approx(dense_radius(matrix), rel=1e-9)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("density", [0.05, 0.3])
def test_directed_matrices_agree_with_numpy(size, density):
    matrix = random_matrix(size, density)
    assert radius(matrix) == pytest.approx(dense_radius(matrix), rel=1e-7)


@pytest.mark.parametrize("size", SIZES)
def test_the_eigenvalue_may_be_negative_or_complex(size):
    assert radius(-np.eye(size)) == pytest.approx(1.0)
    signed = random_matrix(size) * np.random.default_rng(1).choice(
        [-1, 1], (size, size)
    )
    assert radius(signed) == pytest.approx(dense_radius(signed), rel=1e-7)


@pytest.mark.parametrize("size", SIZES)
def test_without_cycles_it_is_exactly_zero(size):
    matrix = np.tril(random_matrix(size, 0.4), -1)
    order = np.random.default_rng(2).permutation(size)
    assert radius(matrix[np.ix_(order, order)]) == 0.0
    assert radius(np.zeros((size, size))) == 0.0


@pytest.mark.parametrize("size", SIZES)
def test_of_a_directed_cycle_it_is_the_geometric_mean_of_the_weights(size):
    weight = np.random.default_rng(3).uniform(0.5, 2.0, size)
    expected = np.exp(np.log(weight).mean())
    assert radius(cycle(np.ones(size))) == pytest.approx(1.0, rel=1e-9)
    assert radius(cycle(weight)) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("size", SIZES)
def test_of_a_triangular_matrix_it_is_the_largest_diagonal_entry(size):
    matrix = np.tril(random_matrix(size, 0.3), -1) + np.eye(size)
    assert radius(matrix) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_of_several_pieces_it_is_the_largest(size):
    theirs = nx.disjoint_union(nx.complete_graph(5), nx.star_graph(size))
    matrix = nx.to_numpy_array(theirs)
    assert radius(matrix) == pytest.approx(max(4.0, np.sqrt(size)), rel=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_the_laplacian_of_a_star_has_the_number_of_nodes(size):
    laplacian = nx.laplacian_matrix(nx.star_graph(size - 1)).toarray()
    assert radius(laplacian) == pytest.approx(size, rel=1e-9)


@pytest.mark.parametrize("name", SHIFTS)
@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_every_shift_of_a_hundred_nodes_is_scaled(name, kind):
    graph = vc.graphs.erdos_renyi(100, 0.1, seed=0, connected=True)
    if kind == "directed":
        graph = vc.Graph.from_dense(random_matrix(100, 0.1), self_loops=False)
    plain = graph.shift(name, scaled=False, dtype=torch.float64).to_dense().numpy()
    found = graph.shift(name, dtype=torch.float64).to_dense().numpy()
    assert np.allclose(found, plain / dense_radius(plain), rtol=1e-6, atol=1e-12)


def test_a_long_chain_with_self_loops_is_scaled_by_one():
    chain = vc.Graph.from_edges([(i, i + 1) for i in range(99)])
    expected = chain.shift("self_loops", scaled=False).to_dense()
    assert torch.allclose(chain.shift("self_loops").to_dense(), expected, atol=1e-6)


def test_the_result_is_the_same_twice():
    matrix = random_matrix(150)
    assert radius(matrix) == radius(matrix)


def test_a_long_ring_and_a_torus_are_known_at_once():
    ring = scipy.sparse.eye_array(20_000, k=1, format="lil")
    ring[-1, 0] = 1.0
    assert spectral_radius(scipy.sparse.csr_array(ring) * 3.0) == 3.0


def test_a_long_path_is_found_to_the_precision_of_float32():
    size = 3000
    path = scipy.sparse.eye_array(size, k=1) + scipy.sparse.eye_array(size, k=-1)
    exact = 2 * np.cos(np.pi / (size + 1))
    assert spectral_radius(path.tocsr()) == pytest.approx(exact, rel=1e-6)
