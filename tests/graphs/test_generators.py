"""Random graphs: what they look like on average, seeds, connectivity."""

import itertools
import math
import random

import networkx as nx
import numpy as np
import pytest
import torch

from vicinal.graphs import (
    Graph,
    erdos_renyi,
    from_points,
    is_connected,
    nearest_neighbors,
    random_geometric,
    stochastic_block_model,
)

DRAWS = {
    "erdos_renyi": lambda seed: erdos_renyi(40, 0.2, seed=seed),
    "random_geometric": lambda seed: random_geometric(40, 0.3, seed=seed),
    "stochastic_block_model": lambda seed: stochastic_block_model(
        [15, 25], [[0.5, 0.1], [0.1, 0.4]], seed=seed
    ),
    "nearest_neighbors": lambda seed: nearest_neighbors(40, 4, seed=seed),
}
UNDIRECTED = [name for name in DRAWS if name != "nearest_neighbors"]
SPARSE = {  # in pieces more often than not
    "erdos_renyi": lambda seed, **k: erdos_renyi(30, 0.1, seed=seed, **k),
    "random_geometric": lambda seed, **k: random_geometric(30, 0.25, seed=seed, **k),
    "stochastic_block_model": lambda seed, **k: stochastic_block_model(
        [10, 10], [[0.6, 0.01], [0.01, 0.6]], seed=seed, **k
    ),
    "nearest_neighbors": lambda seed, **k: nearest_neighbors(30, 2, seed=seed, **k),
}


@pytest.fixture(scope="module")
def geometric():
    return [random_geometric(100, 0.15, seed=seed) for seed in range(200)]


def mean_degree(graphs):
    return np.mean([graph.num_edges / graph.num_nodes for graph in graphs])


def test_erdos_renyi_has_the_expected_degree():
    graphs = [erdos_renyi(100, 0.4, seed=seed) for seed in range(40)]
    assert mean_degree(graphs) == pytest.approx(39.6, abs=0.35)


def test_random_geometric_has_the_expected_degree(geometric):
    r = 0.15
    expected = 99 * (math.pi * r**2 - 8 * r**3 / 3 + r**4 / 2)
    assert expected == pytest.approx(6.13, abs=0.01)
    assert mean_degree(geometric[:40]) == pytest.approx(expected, abs=0.2)


def test_random_geometric_is_connected_three_times_out_of_ten(geometric):
    connected = [graph for graph in geometric if is_connected(graph)]
    assert len(connected) / len(geometric) == pytest.approx(0.30, abs=0.1)
    assert mean_degree(connected) == pytest.approx(6.09, abs=0.2)


def test_random_geometric_joins_the_close_and_only_the_close():
    assert random_geometric(10, 1.5, seed=0).num_edges == 90  # beyond the diagonal
    assert random_geometric(10, 1e-9, seed=0).num_edges == 0


@pytest.mark.parametrize(("probability", "edges"), [(0.0, 0), (1.0, 20)])
def test_erdos_renyi_draws_no_edge_or_all_at_the_ends(probability, edges):
    assert erdos_renyi(5, probability, seed=0).num_edges == edges


def test_blocks_have_the_densities_asked_for():
    sizes, within, across = (40, 60), (0.5, 0.2), 0.05
    matrix = [[within[0], across], [across, within[1]]]
    graphs = [stochastic_block_model(sizes, matrix, seed=seed) for seed in range(20)]
    mean = np.mean([graph.to_dense().numpy() for graph in graphs], axis=0)
    first, second = slice(0, 40), slice(40, 100)
    assert mean[first, first].sum() / (40 * 39) == pytest.approx(0.5, abs=0.02)
    assert mean[second, second].sum() / (60 * 59) == pytest.approx(0.2, abs=0.02)
    assert mean[first, second].mean() == pytest.approx(across, abs=0.01)


def test_blocks_without_chance_are_known_exactly():
    graph = stochastic_block_model([2, 3], [[1.0, 0.0], [0.0, 1.0]], seed=0)
    theirs = nx.disjoint_union(nx.complete_graph(2), nx.complete_graph(3))
    assert graph == Graph.from_networkx(theirs)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("neighbors", [1, 3, 7])
def test_points_are_fed_by_their_nearest_neighbors(dimensions, neighbors):
    points = np.random.default_rng(dimensions).normal(size=(20, dimensions))
    graph = from_points(points, neighbors)
    for i in range(20):
        others = sorted(
            set(range(20)) - {i}, key=lambda j: math.dist(points[i], points[j])
        )
        row = graph.indices[graph.indptr[i] : graph.indptr[i + 1]]
        assert row.tolist() == sorted(others[:neighbors])


def test_points_in_the_same_place_never_feed_themselves():
    graph = from_points(np.zeros((6, 2)), 2)
    assert graph.indptr.diff().tolist() == [2] * 6
    assert graph.to_dense().diagonal().sum() == 0


def test_nearest_neighbors_of_drawn_points():
    graph = nearest_neighbors(30, 4, seed=0, dimensions=3)
    assert graph.indptr.diff().tolist() == [4] * 30
    assert graph.to_dense().diagonal().sum() == 0
    assert graph != nearest_neighbors(30, 4, seed=0, dimensions=2)
    assert nearest_neighbors(5, 4, seed=0).num_edges == 20


@pytest.mark.parametrize("name", UNDIRECTED)
def test_undirected_graphs_are_symmetric_without_self_loops(name):
    for seed in range(5):
        matrix = DRAWS[name](seed).to_dense()
        assert torch.equal(matrix, matrix.T)
        assert matrix.diagonal().sum() == 0
        assert set(matrix.unique().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("name", DRAWS)
def test_the_seed_decides(name):
    assert DRAWS[name](3) == DRAWS[name](3)
    drawn = [DRAWS[name](seed) for seed in range(5)]
    assert all(a != b for a, b in itertools.combinations(drawn, 2))


@pytest.mark.parametrize("name", DRAWS)
def test_global_random_states_are_neither_read_nor_changed(name):
    expected = DRAWS[name](3)
    random.seed(11)
    np.random.seed(11)
    torch.manual_seed(11)
    states = random.getstate(), np.random.get_state()[1].tolist()
    torch_state = torch.get_rng_state()
    assert DRAWS[name](3) == expected
    assert states == (random.getstate(), np.random.get_state()[1].tolist())
    assert torch.equal(torch.get_rng_state(), torch_state)


@pytest.mark.parametrize("name", SPARSE)
def test_graphs_are_redrawn_until_connected(name):
    assert not all(is_connected(SPARSE[name](seed)) for seed in range(10))
    for seed in range(10):
        graph = SPARSE[name](seed, connected=True)
        assert nx.is_weakly_connected(graph.to_networkx())
        assert graph == SPARSE[name](seed, connected=True)


def test_a_connected_draw_is_not_drawn_again():
    seed = next(s for s in range(50) if is_connected(SPARSE["erdos_renyi"](s)))
    draw = SPARSE["erdos_renyi"]
    assert draw(seed, connected=True) == draw(seed)


@pytest.mark.parametrize(
    ("edges", "num_nodes", "connected"),
    [
        ([(0, 1)], 2, True),
        ([(0, 1), (2, 1)], 3, True),
        ([(0, 1)], 3, False),
        ([], 1, True),
    ],
)
def test_connected_means_one_piece_when_directions_are_ignored(
    edges, num_nodes, connected
):
    assert is_connected(Graph.from_edges(edges, num_nodes)) is connected


def test_weights_do_not_matter_to_connectedness():
    assert is_connected(Graph.from_edges([(0, 1)], weight=[0.0]))
    assert is_connected(Graph.from_edges([(0, 1)], weight=[-1.0]))
