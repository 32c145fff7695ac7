"""Nearest signal and nearest amplitude."""

import networkx as nx
import numpy as np
import torch
from sklearn.neighbors import KNeighborsClassifier

from vicinal.baselines import amplitude, nearest_neighbor
from vicinal.baselines.nearest import perron_vector
from vicinal.graphs import erdos_renyi


def test_nearest_neighbor_against_scikit_learn():
    draw = torch.Generator().manual_seed(0)
    x, new = torch.randn(200, 6, generator=draw), torch.randn(40, 6, generator=draw)
    labels = torch.randint(4, (200,), generator=draw)
    model = KNeighborsClassifier(1).fit(x.numpy(), labels.numpy())
    found = nearest_neighbor(x, labels, new, 5)
    assert found.argmax(1).tolist() == model.predict(new.numpy()).tolist()
    assert found.sum(1).eq(1).all()


def test_the_perron_vector_against_networkx():
    graph = erdos_renyi(40, 0.3, seed=1, connected=True)
    ranks = nx.eigenvector_centrality_numpy(graph.to_networkx().to_undirected())
    np.testing.assert_allclose(perron_vector(graph), list(ranks.values()), atol=1e-8)


def test_the_amplitude_names_the_source_at_any_time():
    graph = erdos_renyi(40, 0.3, seed=1, connected=True)
    dense = graph.to_dense().double()
    step = dense / torch.linalg.eigvalsh(dense).max()
    impulses = torch.eye(40, dtype=torch.float64)[:8]
    early, late = impulses @ step, impulses @ torch.linalg.matrix_power(step, 9)
    found = amplitude(early, torch.arange(8), late, graph, 8)
    assert found.argmax(1).equal(torch.arange(8))


def test_a_class_without_signals_is_never_chosen():
    graph = erdos_renyi(10, 0.5, seed=0, connected=True)
    x = torch.eye(10)[:2]
    assert amplitude(x, torch.tensor([0, 2]), x, graph, 3).argmax(1).tolist() == [0, 2]
