"""Find the source of a diffusion: networks that differ in the activation alone.

A node of an Erdos-Renyi graph is hit and the impulse diffuses for an unknown time.
Which of ten nodes was hit? The identity stands beside ReLU, max and median because a
linear network is the control that any activation has to beat.
"""

import torch
from torch.nn.functional import cross_entropy

import vicinal as vc

NODES, SOURCES, TIMES, EPOCHS = 100, 10, 10, 5


def diffusions(graph, sources, count):
    """Draw ``(count, NODES, 1)`` signals W^t delta_c and the labels c."""
    diffusion = graph.shift("adjacency").to_dense()
    powers = torch.stack([torch.matrix_power(diffusion, t + 1) for t in range(TIMES)])
    labels = torch.randint(SOURCES, (count,))
    times = torch.randint(TIMES, (count,))
    return powers[times, :, sources[labels]].unsqueeze(-1), labels


def train(activation, graph, x, labels):
    """Train one network."""
    torch.manual_seed(0)
    model = vc.nn.GNN(
        in_features=1, hidden=[16], taps=5, activation=activation, hops=1,
        readout="signal", num_nodes=NODES, out_features=SOURCES,
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x)).split(20):
            optimizer.zero_grad()
            cross_entropy(model(x[rows], graph), labels[rows]).backward()
            optimizer.step()
    return model


def main():
    """Train the networks and compare them."""
    torch.manual_seed(0)
    graph = vc.graphs.erdos_renyi(NODES, 0.4, seed=0, connected=True)
    sources = torch.randperm(NODES)[:SOURCES]
    data, (x, labels) = (diffusions(graph, sources, n) for n in (2000, 400))
    for activation in ("relu", "identity", "max", "median"):
        model = train(activation, graph, *data)
        with torch.no_grad():
            right = (model(x, graph).argmax(-1) == labels).float().mean()
        print(f"{activation:8} test accuracy {right:.1%}")


if __name__ == "__main__":
    main()
