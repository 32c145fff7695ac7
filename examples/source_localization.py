"""Find the source of a diffusion: networks that differ in the activation alone.

A node of an Erdos-Renyi graph is hit and the impulse diffuses for an unknown time.
Which of ten nodes was hit? The identity stands beside ReLU, max and median because a
linear network is the control that any activation has to beat.
"""

import argparse
import time
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeRemainingColumn
from torch.nn.functional import cross_entropy

import vicinal as vc

NODES, SOURCES, FEATURES, BATCH = 100, 10, 16, 20


def diffusions(graph, sources, count, generator):
    """Draw ``(count, NODES, 1)`` signals W^t delta_c and the labels c."""
    diffusion = graph.shift("adjacency").to_dense()
    labels = torch.randint(SOURCES, (count,), generator=generator)
    steps = torch.randint(1, 11, (count,), generator=generator)
    powers = torch.stack([torch.matrix_power(diffusion, t) for t in range(11)])
    return powers[steps, :, sources[labels]].unsqueeze(-1), labels


def train(activation, graph, data, epochs, progress):
    """Train one network; return its test accuracy after every epoch."""
    (x, labels), (test_x, test_labels) = data
    torch.manual_seed(0)
    model = vc.nn.GNN(
        in_features=1, hidden=[FEATURES], taps=5, activation=activation, hops=1,
        readout="signal", num_nodes=NODES, out_features=SOURCES,
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    accuracies = []
    for _ in progress.track(range(epochs), description=activation):
        for rows in torch.randperm(len(x)).split(BATCH):
            optimizer.zero_grad()
            cross_entropy(model(x[rows], graph), labels[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            found = model(test_x, graph).argmax(-1)
        accuracies.append((found == test_labels).float().mean().item())
    return accuracies


def draw(curves, path):
    """Plot the accuracies over the epochs."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for activation, accuracies in curves.items():
        axes.plot(range(1, len(accuracies) + 1), accuracies, label=activation)
    axes.set(xlabel="epoch", ylabel="test accuracy", ylim=(0, 1))
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def main():
    """Train the three networks and compare them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--picture", type=Path, default="output/accuracy.svg")
    options = parser.parse_args()

    graph = vc.graphs.erdos_renyi(NODES, 0.4, seed=0, connected=True)
    generator = torch.Generator().manual_seed(0)
    sources = torch.randperm(NODES, generator=generator)[:SOURCES]
    data = [diffusions(graph, sources, n, generator) for n in (options.samples, 400)]
    columns = (*Progress.get_default_columns()[:-1], TimeRemainingColumn())
    console = Console()
    curves, start = {}, time.perf_counter()
    with Progress(TextColumn("training"), *columns, console=console) as progress:
        for activation in ("relu", "identity", "max", "median"):
            curves[activation] = train(
                activation, graph, data, options.epochs, progress
            )
    for activation, accuracies in curves.items():
        console.print(f"{activation:8} test accuracy {accuracies[-1]:.1%}")
    draw(curves, options.picture)
    console.print(f"{time.perf_counter() - start:.0f} s; picture: {options.picture}")


if __name__ == "__main__":
    main()
