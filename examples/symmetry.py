"""The paper's Figure 1: a network that knows one signal knows its mirror image too.

Two hexagons, one inside the other, joined by spokes. The signals (a) and (b) differ,
but swapping inner and outer hexagon and turning by 180 degrees takes one to the other
and the graph to itself, as (c) shows: the colours of (a) on the nodes of (b). The same
holds for the outputs of median and max networks, here of three layers, untrained.
"""

import sys
from math import cos, pi, sin
from pathlib import Path

import networkx as nx
import torch

import vicinal as vc

ORDER = [9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2]  # inside out and half a turn
CORNERS = [(r * sin(k * pi / 3), r * cos(k * pi / 3)) for r in (2, 1) for k in range(6)]


def graph():
    """Outer ring 0..5, inner ring 6..11, spokes between them."""
    steps = [(k, (k + 1) % 6) for k in range(6)]
    pairs = steps + [(a + 6, b + 6) for a, b in steps] + [(k, k + 6) for k in range(6)]
    return vc.Graph.from_edges(pairs + [(b, a) for a, b in pairs])


def signals():
    """Two signals; the second is the first, permuted by ``ORDER``."""
    x = torch.tensor([4.0, 3.0, 1.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0, 2.0])
    return x[:, None], x[ORDER, None]


def draw(rows, path):
    """Draw a row per pair of signals: the first, the second, the second moved back."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        sys.exit("matplotlib is missing; install it with `pip install vicinal[report]`")
    figure = Figure(figsize=(9, 3 * len(rows)), layout="constrained")
    axes, moved = figure.subplots(len(rows), 3), [CORNERS[k] for k in ORDER]
    pairs, labels = graph().to_networkx().to_undirected(), {k: k + 1 for k in range(12)}
    for row, (name, (a, b)) in enumerate(rows.items()):
        look = {"cmap": "autumn_r", "vmin": a.min(), "vmax": a.max(), "labels": labels}
        for column, y, spots in ((0, a, CORNERS), (1, b, CORNERS), (2, b, moved)):
            axis = axes[row, column]
            nx.draw_networkx(pairs, spots, ax=axis, node_color=y.flatten(), **look)
            axis.set(title=f"({'abc'[column]}) {name}", aspect="equal", frame_on=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


if __name__ == "__main__":
    rows = {"signal": signals()}
    picture = Path(*sys.argv[1:] or ["output/symmetry.svg"])
    for name in ("median", "max"):
        torch.manual_seed(1)
        model = vc.nn.GNN(1, [8, 8, 8], 1, taps=3, activation=name)
        a, b = (model(x, graph()).detach() for x in signals())
        rows[f"{name} network"] = a, b
        before, after = (a - b).abs().max(), (a[ORDER] - b).abs().max()
        print(f"{name}: outputs differ by {before:.3f}, once permuted by {after:.0e}")
    draw(rows, picture)
    print(f"picture: {picture}")
