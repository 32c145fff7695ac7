"""The picture of a word adjacency network, after Fig. 5 of the paper."""

import math
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.path import Path

__all__ = ["CAPTION", "draw_network"]

_INCHES, _LARGEST, _SHOWN = 8.0, 420.0, 0.02
_WORDS, _EDGES = "#9a3412", "#1d4e89"
_TIP, _WIDE = 0.085, 0.026  # length and half the width of the largest arrowhead
CAPTION = (
    "An arrow runs from a function word to one that follows it, the darker the larger "
    "the share of\nwhat follows the first word; shares below "
    f"{_SHOWN:.0%} are left out. The larger a dot, the more frequent its word."
)


def draw_network(
    words: Sequence[str],
    weights: Any,  # shape: (n, n)
    frequency: Any,  # shape: (n,)
    caption: bool = True,
    colors: tuple[str, str] = (_WORDS, _EDGES),
) -> Figure:
    """Words on a circle, as large as they are frequent; edges as dark as they weigh.

    An arrow runs from a word to one that follows it. It is a bow that bends to its
    right, so that the two directions between two words lie apart. Edges below 2 % of a
    word's successors are left out; the picture says so.

    Args:
        words: Names of the nodes.
        weights: Transition probabilities, from row to column.
        frequency: How often each word occurs.
        caption: Whether the picture says how to read it.
        colors: Of words and of edges.

    Example:
        >>> figure = draw_network(["of", "the"], [[0.1, 0.9], [0.5, 0.5]], [3, 5])
        >>> len(figure.axes)
        1
    """
    figure = Figure(figsize=(_INCHES, _INCHES), layout="constrained")
    axes = figure.subplots()
    angles = 2 * math.pi * np.arange(len(words)) / len(words)
    places = np.stack([np.cos(angles), np.sin(angles)], 1)
    _edges(axes, places, np.asarray(weights, dtype=float), colors[1])
    share = np.asarray(frequency, dtype=float) / max(np.max(frequency), 1)
    size = 12 + _LARGEST * share
    axes.scatter(
        places[:, 0], places[:, 1], s=size, color=colors[0], linewidths=0, zorder=3
    )
    for word, angle in zip(words, angles, strict=True):
        _label(axes, word, angle)
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    axes.axis("off")
    if caption:
        figure.supxlabel(CAPTION, fontsize=9)
    return figure


def _edges(axes: Axes, places: Any, weights: Any, color: str) -> None:
    kept = (weights >= _SHOWN) & ~np.eye(len(weights), dtype=bool)
    rows, columns = np.nonzero(kept)
    if not len(rows):
        return
    begin, end = places[rows], places[columns]
    across = (end - begin)[:, ::-1] * [1.0, -1.0]
    bend = 0.5 * (begin + end) * 0.7 + 0.12 * across
    t = np.linspace(0, 1, 24)[:, None, None]
    curves = (1 - t) ** 2 * begin + 2 * t * (1 - t) * bend + t**2 * end
    strength = np.sqrt(weights[rows, columns] / weights[kept].max())
    colors = [mpl.colors.to_rgba(color, 0.08 + 0.8 * s) for s in strength]
    kinds = [Path.MOVETO, Path.CURVE3, Path.CURVE3]
    bows = [Path(ends, kinds) for ends in np.stack([begin, bend, end], axis=1)]
    style = {"edgecolors": colors, "linewidths": 2.2 * strength}
    axes.add_collection(PathCollection(bows, facecolors="none", **style))
    tips = _tips(curves, strength)
    axes.add_collection(PolyCollection(tips, facecolors=colors, linewidths=0))


def _tips(
    curves: Any,  # shape: (steps, edges, 2)
    size: Any,  # shape: (edges,)
) -> list[Any]:
    """Triangles past the middle of each curve, which point along it."""
    place = round(0.6 * len(curves))
    along = curves[place + 1] - curves[place - 1]
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    across = along[:, ::-1] * [1.0, -1.0]
    length, wide = _TIP * size[:, None], _WIDE * size[:, None]
    back = curves[place] - 0.5 * length * along
    corners = (back + length * along, back + wide * across, back - wide * across)
    return list(np.stack(corners, axis=1))


def _label(axes: Axes, word: str, angle: float) -> None:
    turned = math.degrees(angle)
    left = 90 < turned < 270
    axes.text(
        1.08 * math.cos(angle),
        1.08 * math.sin(angle),
        word,
        rotation=turned - 180 if left else turned,
        rotation_mode="anchor",
        ha="right" if left else "left",
        va="center",
        fontsize=10,
    )
