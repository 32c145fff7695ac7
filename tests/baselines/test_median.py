"""Medians without training, against a loop."""

import torch

from vicinal.baselines import median_features, median_filter
from vicinal.graphs import random_geometric


def loop(x, graph, hops):
    reach = torch.matrix_power(graph.to_dense() + torch.eye(graph.num_nodes), hops) > 0
    rows = [x[:, members] for members in reach]
    return torch.stack([r.sort(1).values[:, r.size(1) // 2] for r in rows], 1)


def test_the_filter_and_the_features_against_a_loop():
    graph = random_geometric(30, 0.3, seed=0, connected=True)
    x = torch.randn(7, 30, generator=torch.Generator().manual_seed(0))
    signals = x.unsqueeze(-1)
    assert median_filter(signals, graph).squeeze(-1).equal(loop(x, graph, 1))
    expected = torch.stack([x, loop(x, graph, 1), loop(x, graph, 2)], -1)
    assert median_features(signals, graph, hops=2).equal(expected)
