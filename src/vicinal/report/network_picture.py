"""A signal on a network before and after, as a picture of its own file."""

import io
from typing import Any

import numpy as np
import scipy.sparse
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

__all__ = ["before_and_after", "places"]

_SIZE = (11.0, 5.4)  # inches
_DOTS = 150  # per inch
_NAMES = ("before", "after")
_DRAWN = 3  # strongest edges of each node that are drawn


def before_and_after(
    adjacency: Any, before: NDArray[np.float64], after: NDArray[np.float64], title: str
) -> bytes:
    """Two panels as PNG: colour and size of nodes are values, of edges differences.

    Only the strongest edges of each node are drawn, or nothing would be seen.

    Args:
        adjacency: SciPy sparse, row i holds what feeds node i.
        before: Values, zero where there is none.
        after: Values in their place.
        title: Of the picture.
    """
    at, edges = places(adjacency), _strongest_edges(adjacency)
    figure = Figure(figsize=_SIZE, layout="constrained")
    panels = figure.subplots(1, 2)
    high = max(float(before.max()), float(after.max()))
    for axes, values, name in zip(
        panels, (before, after), ("before", "after"), strict=True
    ):
        ends = np.abs(values[edges[:, 0]] - values[edges[:, 1]]) / high
        lines = LineCollection(
            list(at[edges]), cmap="Greys", linewidths=0.1 + 0.5 * ends
        )
        lines.set_array(ends)
        lines.set_alpha(0.4)
        axes.add_collection(lines)
        size = 2 + 6 * values
        dots = axes.scatter(*at.T, s=size, c=values, vmin=0, vmax=high, zorder=3)
        axes.set_title(f"{title}, {name}")
        axes.set_axis_off()
    figure.colorbar(dots, ax=panels, shrink=0.7)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=_DOTS)
    return written.getvalue()


def places(adjacency: Any) -> NDArray[np.float64]:  # shape: (N, 2)
    """Places of nodes: eigenvectors of the symmetric adjacency, spread by rank.

    Example:
        >>> ring = np.roll(np.eye(6), 1, axis=1)
        >>> places(scipy.sparse.csr_array(ring)).shape
        (6, 2)
    """
    both = (adjacency + adjacency.T).astype(np.float64)
    degree = np.maximum(np.asarray(both.sum(axis=1)).ravel(), 1e-12)
    half = scipy.sparse.diags_array(degree**-0.5)
    start = np.linspace(1.0, 2.0, both.shape[0])  # the same picture every time
    _, vectors = eigsh(half @ both @ half, k=3, which="LA", v0=start)
    ranks = vectors[:, :2].argsort(axis=0).argsort(axis=0)
    spread: NDArray[np.float64] = ranks / max(len(ranks) - 1, 1)
    return spread


def _strongest_edges(adjacency: Any) -> NDArray[np.int64]:  # shape: (E, 2)
    rows = scipy.sparse.csr_array(adjacency)
    edges = []
    for node in range(rows.shape[0]):
        span = slice(rows.indptr[node], rows.indptr[node + 1])
        best = np.argsort(-rows.data[span], kind="stable")[:_DRAWN]
        edges += [(node, int(other)) for other in rows.indices[span][best]]
    return np.array(edges, dtype=np.int64).reshape(-1, 2)
