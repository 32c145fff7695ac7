"""A small undirected graph with a lone node, and features on it."""

import torch

import vicinal as vc

NODES, FEATURES, CLASSES = 15, 6, 3


def graph():
    generator = torch.Generator().manual_seed(3)
    half = torch.rand(NODES, NODES, generator=generator) < 0.2
    adjacency = (half | half.T).double().fill_diagonal_(0)
    adjacency[4] = adjacency[:, 4] = 0  # nobody's neighbor
    return vc.Graph.from_dense(adjacency)


def features():
    x = torch.randn(NODES, FEATURES, dtype=torch.float64)
    return x * (torch.rand(NODES, FEATURES) < 0.5)


def edge_index():
    return graph().to_dense().nonzero().T


def random_walk_edges():
    """Edges and weights of (D + I)^-1 (A + I), by hand."""
    loops = graph().to_dense().double() + torch.eye(NODES, dtype=torch.float64)
    weighted = loops / loops.sum(1, keepdim=True)
    target, source = weighted.nonzero().T
    return torch.stack([source, target]), weighted[target, source]
