"""Swap the ReLU of a two-layer PyG GCN for a median activation: one line changes.

Nodes of four communities carry noisy features, and one node in ten is a faulty sensor
that sends large random values. Both networks learn the communities from 20 nodes each.
Needs PyG: install it with `pip install vicinal[pyg]`.
"""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.nn import GCNConv, Sequential

import vicinal as vc
from vicinal.pyg import MedianActivation

CLASSES, SIZE, FEATURES = 4, 100, 16


def community_data():
    """A stochastic block model with noisy features: x, edge_index, label."""
    chances = torch.full((CLASSES, CLASSES), 0.01).fill_diagonal_(0.05).tolist()
    graph = vc.graphs.stochastic_block_model([SIZE] * CLASSES, chances, seed=0)
    label = torch.arange(CLASSES).repeat_interleave(SIZE)
    x = torch.randn(CLASSES, FEATURES)[label] + 2 * torch.randn(len(label), FEATURES)
    faulty = torch.rand(len(label)) < 0.1
    x[faulty] += 20 * torch.randn(int(faulty.sum()), FEATURES)
    return x, graph.to_edges()[0], label


def accuracy(activation, call):
    """Train a GCN with this activation; return its accuracy on the other nodes."""
    torch.manual_seed(0)
    x, edge_index, label = community_data()
    train = torch.arange(len(label)) % SIZE < 20
    model = Sequential(
        "x, edge_index",
        [
            (GCNConv(FEATURES, 16), "x, edge_index -> x"),
            (activation, call),
            (GCNConv(16, CLASSES), "x, edge_index -> x"),
        ],
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(100):
        optimizer.zero_grad()
        cross_entropy(model(x, edge_index)[train], label[train]).backward()
        optimizer.step()
    found = model(x, edge_index).argmax(-1)
    return (found == label)[~train].float().mean().item()


if __name__ == "__main__":
    relu = accuracy(torch.nn.ReLU(), "x -> x")
    median = accuracy(MedianActivation(hops=1, features=16), "x, edge_index -> x")
    print(f"GCN with ReLU {relu:.1%}, with a median activation {median:.1%}")
