"""Swap the ReLU of a two-layer PyG GCN for a median activation: one line changes.

Nodes of four communities carry noisy features; both networks learn the communities from
ten nodes each and are asked about the others. This shows the swap, not a gain: over
several seeds the two are equally good here.
Needs PyG: install it with `pip install vicinal[pyg]`.
"""

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.nn import GCNConv, Sequential

import vicinal as vc
from vicinal.pyg import MedianActivation

CLASSES, SIZE, KNOWN, FEATURES, HIDDEN = 4, 60, 10, 8, 16


def community_data():
    """A stochastic block model with noisy features: x, edge_index, label."""
    chances = torch.full((CLASSES, CLASSES), 0.02).fill_diagonal_(0.08).tolist()
    graph = vc.graphs.stochastic_block_model([SIZE] * CLASSES, chances, seed=0)
    label = torch.arange(CLASSES).repeat_interleave(SIZE)
    x = torch.randn(CLASSES, FEATURES)[label] + 2 * torch.randn(len(label), FEATURES)
    return x, graph.to_edges()[0], label


def accuracy(activation, call):
    """Train a GCN with this activation; return its accuracy on the other nodes."""
    torch.manual_seed(0)
    x, edge_index, label = community_data()
    known = torch.arange(len(label)) % SIZE < KNOWN
    layers = [
        (GCNConv(FEATURES, HIDDEN), "x, edge_index -> x"),
        (activation, call),
        (GCNConv(HIDDEN, CLASSES), "x, edge_index -> x"),
    ]
    model = Sequential("x, edge_index", layers)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(60):
        optimizer.zero_grad()
        cross_entropy(model(x, edge_index)[known], label[known]).backward()
        optimizer.step()
    found = model(x, edge_index).argmax(-1)
    return (found == label)[~known].float().mean().item()


if __name__ == "__main__":
    relu = accuracy(torch.nn.ReLU(), "x -> x")
    median = accuracy(MedianActivation(1, features=HIDDEN), "x, edge_index -> x")
    print(f"accuracy of the GCN: {relu:.1%} with ReLU, {median:.1%} with a median")
