"""How times grow: with nodes at fixed degree, with degree, with hops; one picture."""

from pathlib import Path

import networkx as nx
import numpy as np
import torch

import vicinal as vc
from benchmarks import draws, timing
from benchmarks.activations import OURS
from benchmarks.rivals import RIVALS
from benchmarks.setting import Setting
from benchmarks.workloads import Workload


def against_nodes(patience, powers, near):
    """Forward over 2^p nodes, each fed by eight: the nearest in memory, or any."""
    sizes = [2**p for p in powers]
    graphs = [
        draws.near_in_neighbors(n, 8)
        if near
        else draws.random_in_neighbors(n, 8, seed=n)
        for n in sizes
    ]
    return sizes, _times(list(map(_setting, graphs)), "forward", patience)


def against_degree(patience, powers):
    """Backward over 4096 nodes, each fed by 2^p."""
    degrees = [2**p for p in powers]
    settings = [_setting(draws.random_in_neighbors(4096, d, seed=d)) for d in degrees]
    return degrees, _times(settings, "backward", patience)


def against_hops(patience, largest):
    """Backward over 1, ..., K hops on a square grid of 4096 nodes."""
    grid = vc.Graph.from_networkx(nx.grid_2d_graph(64, 64)).prepare(hops=largest)
    hops = list(range(1, largest + 1))
    settings = [_setting(grid, k) for k in hops]
    return hops, _times(settings, "backward", patience)


def _setting(graph, hops=1):
    return Setting(Workload("scaling", graph, 1, 32), hops)


def _times(settings, mode, patience):
    """CPU seconds on one thread, by operator; all sizes interleaved."""
    calls = {}
    for at, setting in enumerate(settings):
        for name in OURS:
            function = RIVALS[name].prepare(setting)
            x = setting.workload.draw().requires_grad_()
            make = timing.forward if mode == "forward" else _backward
            calls[name, at] = make(function, x)
    with timing.threads(1):
        found = timing.interleaved(calls, patience)
    return {n: [found[n, at].cpu for at in range(len(settings))] for n in OURS}


def _backward(function, x):
    z = function(x)
    upstream = torch.randn_like(z)
    return lambda: torch.autograd.grad(z, x, upstream, retain_graph=True)


def slope(sizes, times):
    """Slope of the straight line through logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def linearity(sizes, times):
    """Share of the variance that a straight line explains."""
    return float(np.corrcoef(sizes, times)[0, 1] ** 2)


def measure(folder, patience=timing.FULL):
    """Rows with slopes; the picture goes to ``folder/scaling.svg``."""
    few = patience.quick
    powers = range(11 if few else 12, 16 if few else 20)
    studies = {
        "forward, nodes": against_nodes(patience, powers, near=True),
        "forward, nodes fed at random": against_nodes(patience, powers, near=False),
        "backward, degree": against_degree(patience, range(2, 6 if few else 9)),
        "backward, hops": against_hops(patience, 3 if few else 6),
    }
    draw(studies, Path(folder) / "scaling.svg")
    return [
        {
            "study": study,
            "operator": name,
            "slope": slope(sizes, times[name]),
            "linear r2": linearity(sizes, times[name]),
            "sizes": sizes,
            "seconds": times[name],
        }
        for study, (sizes, times) in studies.items()
        for name in OURS
    ]


def draw(studies, path):
    """One panel per study, both axes logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 4, figsize=(14, 3.6), layout="constrained")
    for axes, (study, (sizes, times)) in zip(panels, studies.items(), strict=True):
        for name, seconds in times.items():
            label = f"{name.split(':')[0]}, slope {slope(sizes, seconds):.2f}"
            axes.loglog(sizes, np.multiply(seconds, 1e3), "o-", label=label)
        mode, quantity = study.split(", ")
        axes.set(xlabel=quantity, ylabel=f"{mode}, ms on one thread")
        axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    pyplot.close(figure)
