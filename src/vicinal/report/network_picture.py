"""A signal on a network before and after, as a picture of its own file."""

from typing import Any

import numpy as np
import scipy.sparse
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

from vicinal.report.picture_file import picture_bytes

__all__ = ["before_and_after", "places"]

_SIZE = (11.0, 5.4)  # inches
_DRAWN = 3  # strongest edges of each node that are drawn
_CAPTION = (
    f"A node is a user; an edge ties it to one of the {_DRAWN} users whose ratings are "
    "most like its own, darker where their stars differ more"
)


def before_and_after(
    adjacency: Any,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    title: str,
    *,
    network: str = "1-hop median",
    form: str = "png",
) -> bytes:
    """Two panels: colour and size of nodes are stars, edges show who is similar.

    Only the strongest edges of each node are drawn, or nothing would be seen; they are
    darker where their ends differ more.

    Args:
        adjacency: SciPy sparse, row i holds what feeds node i.
        before: Stars that were given, zero where there are none.
        after: Stars that a network predicts.
        title: Of the picture.
        network: Which network predicts.
        form: ``"png"``, ``"svg"`` or ``"pdf"``.

    Example:
        >>> ring = scipy.sparse.csr_array(np.roll(np.eye(6), 1, axis=1))
        >>> before_and_after(ring, np.zeros(6), np.full(6, 3.0), "ring")[1:4]
        b'PNG'
    """
    figure = Figure(figsize=_SIZE, layout="constrained")
    panels = figure.subplots(1, 2)
    at, edges = places(adjacency), _strongest_edges(adjacency)
    high = max(1.0, float(before.max()), float(after.max()))
    names = ("before: stars given", f"after: stars predicted by the {network} network")
    for axes, values, name in zip(panels, (before, after), names, strict=True):
        dots = _panel(axes, at, edges, values, high)
        axes.set_title(f"{title}, {name}", fontsize=11)
    figure.colorbar(dots, ax=panels, shrink=0.7, label="stars (0: not rated)")
    figure.supxlabel(_CAPTION, fontsize=9)
    return picture_bytes(figure, form)


def _panel(
    axes: Axes,
    at: NDArray[np.float64],  # shape: (N, 2)
    edges: NDArray[np.int64],  # shape: (E, 2)
    values: NDArray[np.float64],  # shape: (N,)
    high: float,
) -> PathCollection:
    ends = np.abs(values[edges[:, 0]] - values[edges[:, 1]]) / high
    lines = LineCollection(list(at[edges]), cmap="Greys", linewidths=0.1 + 0.5 * ends)
    lines.set_array(ends)
    lines.set_alpha(0.4)
    axes.add_collection(lines)
    axes.set_axis_off()
    size = 2 + 6 * values
    return axes.scatter(
        at[:, 0], at[:, 1], s=size, c=values, vmin=0, vmax=high, zorder=3
    )


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
