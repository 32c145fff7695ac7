"""Series to SVG text: lines over an axis, or a point for each model."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from vicinal.report.labels import percent
from vicinal.report.series import Panel, Series
from vicinal.report.svg import COLORS, GRID, INK, svg_text

__all__ = ["draw", "draw_dots"]

_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_MARKERS = ("o", "s", "^", "D")
_SIZE = (4.7, 3.1)  # inches
_WIDEST = 28  # letters of a name on one line
_ASIDE, _FEWEST = 0.05, 4  # of the width, for the bars of at least so many lines
_MANY = 12  # points from which on a band is drawn, not bars
_STYLE: dict[Any, Any] = {
    "font.size": 10.5,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "ytick.left": False,
}


def draw(
    panel: Panel,
    xlabel: str,
    ylabel: str,
    metric: str = "",
    log: bool = False,
    limits: tuple[float, float] | None = None,
) -> str:
    """Lines with 95 % intervals: bars at few points, bands at many.

    Args:
        panel: The lines.
        xlabel: What the horizontal axis shows.
        ylabel: What the vertical axis shows.
        metric: Shares are drawn in percent.
        log: Whether the vertical axis counts powers of ten.
        limits: Of the vertical axis, where panels should share them.
    """
    scale = 100.0 if percent(metric) else 1.0
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.subplots()
        levels = [series for series in panel.series if series.level]
        lines = [series for series in panel.series if not series.level]
        for series, aside in zip(lines, _sideways(lines), strict=True):
            _line(axes, series, scale, aside)
        for place, series in enumerate(levels):
            _level(axes, series, scale, place)
        ticks = sorted({x for series in panel.series for x, _ in series.points})
        if len(ticks) <= _MANY:
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        if percent(metric):
            axes.set_ylim(*_within_shares(axes.get_ylim()))
        if log:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(
                lambda y, _: f"{y:,.0f}" if y >= 1 else f"{y:g}"
            )
            axes.yaxis.set_minor_formatter(NullFormatter())
        if limits is not None:
            axes.set_ylim(*limits)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        axes.grid(axis="y")
        return svg_text(figure, f"{ylabel} over {xlabel}. {panel.title}".strip())


def draw_dots(
    panel: Panel, xlabel: str, metric: str, published: tuple[float | None, ...] = ()
) -> str:
    """A point with its 95 % interval for each model, and what was published."""
    scale = 100.0 if percent(metric) else 1.0
    names = [textwrap.fill(series.label, _WIDEST) for series in panel.series]
    with mpl.rc_context(_STYLE):
        lines = sum(0.29 + 0.17 * name.count("\n") for name in names)
        size = (_SIZE[0], 0.75 + lines)
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        for place, series in enumerate(panel.series):
            _dot(axes, place, series, scale)
        for place, printed in enumerate(published):
            if printed is not None:
                axes.plot([scale * printed], [place], "D", color=INK, mfc="none", ms=6)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        if percent(metric):
            axes.set_xlim(*_within_shares(axes.get_xlim()))
        axes.set_xlabel(xlabel)
        axes.grid(axis="both")
        told = ", ".join(series.label for series in panel.series)
        return svg_text(figure, f"{xlabel} of {told}. {panel.title}")


def _within_shares(limits: tuple[float, float]) -> tuple[float, float]:
    """Limits of an axis of percentages: intervals of few seeds reach beyond 100."""
    return max(limits[0], -2.0), min(limits[1], 102.0)


def _dot(axes: Axes, place: int, series: Series, scale: float) -> None:
    ((_, found),) = series.points
    color = COLORS[series.color]
    if not math.isnan(found.low):
        ends = (scale * found.low, scale * found.high)
        axes.plot(ends, (place, place), color=color, linewidth=1.6)
    axes.plot([scale * found.mean], [place], "o", color=color, markersize=5.5)


def _level(axes: Axes, series: Series, scale: float, place: int) -> None:
    """A level line, its interval beside the right edge."""
    ((_, found),) = series.points
    style: dict[str, Any] = {"color": COLORS[series.color], "linewidth": 1.2}
    dash = _DASHES[series.dash % len(_DASHES)]
    axes.axhline(scale * found.mean, zorder=1, linestyle=dash, **style)
    if not math.isnan(found.low):
        beside = 1.015 + 0.018 * place  # of the width
        ends = (scale * found.low, scale * found.high)
        edge = axes.get_yaxis_transform()
        axes.plot([beside, beside], ends, transform=edge, clip_on=False, **style)


def _sideways(lines: Sequence[Series]) -> list[float]:
    """How far each line stands beside its place, so that no bar hides another."""
    xs = [x for series in lines for x, _ in series.points]
    few = bool(lines) and max(len(series.points) for series in lines) <= _MANY
    step = _ASIDE * (max(xs) - min(xs)) / max(len(lines), _FEWEST) if few else 0.0
    middle = (len(lines) - 1) / 2
    return [step * (place - middle) for place in range(len(lines))]


def _line(axes: Axes, series: Series, scale: float, aside: float) -> None:
    xs = [x + aside for x, _ in series.points]
    ys = [scale * found.mean for _, found in series.points]
    halves = [scale * (found.high - found.mean) for _, found in series.points]
    style: dict[str, Any] = {
        "color": COLORS[series.color],
        "linestyle": _DASHES[series.dash % len(_DASHES)],
        "linewidth": 1.8,
    }
    if len(xs) > _MANY:
        axes.plot(xs, ys, **style)
        low = [y - half for y, half in zip(ys, halves, strict=True)]
        high = [y + half for y, half in zip(ys, halves, strict=True)]
        axes.fill_between(xs, low, high, color=style["color"], alpha=0.16, linewidth=0)
        return
    if not any(map(math.isnan, halves)):
        style |= {"yerr": halves, "elinewidth": 1.2, "capsize": 2.5}
    marker = _MARKERS[series.dash % len(_MARKERS)]
    axes.errorbar(xs, ys, marker=marker, markersize=4.5, **style)
