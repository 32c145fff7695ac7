"""Diffusion: from an impulse to the Perron vector."""

import networkx as nx
import numpy as np
import pytest
import torch

from vicinal.datasets.diffusion import diffused_impulses, smooth_signals
from vicinal.graphs import Graph, erdos_renyi


@pytest.fixture
def graph():
    return erdos_renyi(30, 0.3, seed=0, connected=True)


def test_at_time_zero_there_is_the_impulse(graph):
    sources = torch.tensor([4, 17])
    impulses = diffused_impulses(graph, sources, last=3)
    assert impulses.shape == (4, 2, 30)
    assert impulses[0].argmax(1).equal(sources)
    assert impulses[0].sum() == 2


def test_diffusion_is_powers_of_the_scaled_adjacency(graph):
    dense = nx.to_numpy_array(graph.to_networkx())
    step = dense / np.abs(np.linalg.eigvalsh(dense)).max()
    expected = np.linalg.matrix_power(step, 7)[:, 4]
    found = diffused_impulses(graph, torch.tensor([4]), last=7)[7, 0]
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


def test_it_ends_in_the_perron_vector_with_the_amplitude_of_the_source(graph):
    _, vectors = np.linalg.eigh(graph.to_dense().double().numpy())
    perron = np.abs(vectors[:, -1])
    found = diffused_impulses(graph, torch.tensor([4]), last=400)[400, 0].numpy()
    np.testing.assert_allclose(found, perron[4] * perron, atol=1e-10)


def test_smooth_signals_change_less_along_edges():
    side = 10
    grid = Graph.from_networkx(nx.grid_2d_graph(side, side))
    white = torch.randn(200, side**2, dtype=torch.float64, generator=_seeded())
    (source, target), _ = grid.to_edges()

    def roughness(steps):
        x = smooth_signals(grid, white, steps)
        return float((x[:, source] - x[:, target]).var() / x.var())

    assert smooth_signals(grid, white, 0).equal(white)
    assert 2.1 > roughness(0) > roughness(2) > roughness(5) > roughness(20)


def _seeded():
    return torch.Generator().manual_seed(0)
