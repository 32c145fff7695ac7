"""Two hops on a graph whose two-hop balls would not fit: a sample of rows.

Both sides get the same stored rows of the sample, forward and backward, and are scaled
from the sample to all nodes alike. Backward also fills the gradient of all nodes, a
fixed cost that is scaled with the rest: read the ratio forward first.
"""

import numpy as np
import torch
from scipy.sparse import csr_array

from benchmarks import timing
from benchmarks.setting import Product, ball_matrix, csr_pair
from vicinal import kernels
from vicinal.kernels import rank


def two_hop_rows(graph, count, seed=0):
    """Two-hop neighbourhoods of ``count`` nodes drawn at random, a SciPy matrix."""
    step = ball_matrix(graph.neighborhoods(1))
    nodes = np.random.default_rng(seed).choice(graph.num_nodes, count, replace=False)
    rows = csr_array(step[np.sort(nodes)] @ step)
    rows.sort_indices()
    rows.data[:] = 1
    return rows


def measure(workload, count=1000, patience=timing.FULL):
    """Rows of the table for two hops: milliseconds, scaled to all nodes."""
    rows = two_hop_rows(workload.graph, count)
    pair = csr_pair(rows)
    indptr = torch.from_numpy(rows.indptr.astype("int64"))
    indices = torch.from_numpy(rows.indices.astype("int32"))
    x = workload.draw().requires_grad_()  # (1, N, F)
    functions = {
        "spmm": lambda x: Product.apply(x[0], *pair),
        "median: vicinal": lambda x: kernels.select(
            x, indptr, indices, rank.UPPER_MEDIAN
        )[0],
    }
    forward = {name: timing.forward(f, x) for name, f in functions.items()}
    both = {name: timing.forward_backward(f, x, [x]) for name, f in functions.items()}
    with timing.threads(1):
        one = timing.interleaved(forward, patience)
        one_both = timing.interleaved(both, patience)
    with timing.threads(2):
        two = timing.interleaved(forward, patience)
    scale = 1e3 * workload.graph.num_nodes / count
    return [
        {
            "workload": workload.name,
            "hops": 2,
            "operator": name,
            "f cpu 1": scale * one[name].cpu,
            "f+b cpu 1": scale * one_both[name].cpu,
            "f wall 2": scale * two[name].wall,
            "ratio f": one[name].cpu / one["spmm"].cpu,
            "ratio f+b": one_both[name].cpu / one_both["spmm"].cpu,
            "note": f"{count} rows (mean {rows.nnz / count:.0f} nodes), extrapolated",
        }
        for name in functions
    ]
