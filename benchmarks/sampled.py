"""Two hops on a graph whose two-hop balls would not fit: a sample of nodes.

The sparse product gets the stored rows of S^2 of the sample; the library gets the graph
and finds the balls on the fly, of one and of two hops. Both are scaled from the sample
to all nodes. What the library does once for all nodes (their codes) and its backward
pass, which never looks at the balls, are measured on the whole graph and not scaled.
"""

import numpy as np
import torch
from scipy.sparse import csr_array

from benchmarks import timing
from benchmarks.setting import Product, ball_matrix, csr_pair
from vicinal.kernels import native, rank

HOPS = 2


def two_hop_rows(graph, nodes):
    """Two-hop neighbourhoods of some nodes, a SciPy matrix."""
    step = ball_matrix(graph.neighborhoods(1))
    rows = csr_array(step[nodes] @ step)
    rows.sort_indices()
    rows.data[:] = 1
    return rows


def measure(workload, count=1000, patience=timing.FULL, seed=0):
    """Rows of the table for two hops: milliseconds, scaled to all nodes."""
    graph, x = workload.graph, workload.draw()  # (1, N, F)
    rng = np.random.default_rng(seed)
    nodes = np.sort(rng.choice(graph.num_nodes, count, replace=False))
    rows = two_hop_rows(graph, nodes)
    calls = _product_calls(x, rows) | _median_calls(x, graph, nodes)
    with timing.threads(1):
        one = timing.interleaved(calls, patience)
    with timing.threads(2):
        two = timing.interleaved(calls, patience)
    note = f"{count} nodes (mean ball {rows.nnz / count:.0f}), scaled to all"
    fixed = {"workload": workload.name, "hops": HOPS, "note": note}
    scale = graph.num_nodes / count
    table = [
        fixed
        | {"operator": name}
        | _columns("cpu 1", *_whole(one, name, scale, "cpu"))
        | _columns("wall 2", *_whole(two, name, scale, "wall"))
        for name in ("spmm", "median: vicinal")
    ]
    for row in table:
        for mode in ("f", "f+b"):
            row[f"ratio {mode}"] = row[f"{mode} cpu 1"] / table[0][f"{mode} cpu 1"]
    return table


def _columns(clock, forward, backward):
    return {f"f {clock}": 1e3 * forward, f"f+b {clock}": 1e3 * (forward + backward)}


def _product_calls(x, rows):
    matrix, transpose = csr_pair(rows)
    grad = torch.randn(rows.shape[0], x.size(2))
    return {
        ("spmm", "forward"): lambda: Product.apply(x[0], matrix, transpose),
        ("spmm", "backward"): lambda: transpose @ grad,
    }


def _median_calls(x, graph, nodes):
    structure = graph.indptr, graph.indices
    centers = torch.from_numpy(nodes)

    def select(some):
        return native.select_centers(x, structure, HOPS, some, rank.UPPER_MEDIAN)

    found = select(centers)[1]  # (1, 2 * count, F)
    rows = HOPS * graph.num_nodes
    everywhere = found.repeat(1, -(-rows // found.size(1)), 1)[:, :rows].contiguous()
    grad = torch.randn(everywhere.shape)
    return {
        ("median: vicinal", "forward"): lambda: select(centers),
        ("median: vicinal", "once"): lambda: select(centers[:1]),
        ("median: vicinal", "backward"): lambda: native.scatter(
            grad, everywhere, graph.num_nodes
        ),
    }


def _whole(found, name, scale, clock):
    """Seconds forward and backward for all nodes."""
    spent = {part: getattr(t, clock) for (who, part), t in found.items() if who == name}
    once = spent.get("once")
    if once is None:
        return scale * spent["forward"], scale * spent["backward"]
    return once + scale * (spent["forward"] - once), spent["backward"]
