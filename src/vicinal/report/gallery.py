"""The figures of a section: which, with what caption and legend."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vicinal.report import figures, labels, series
from vicinal.report.results import Section
from vicinal.report.selection import Selection
from vicinal.report.series import Panel
from vicinal.report.word_network import CAPTION
from vicinal.report.word_pictures import word_pictures

__all__ = ["Drawing", "Key", "gallery"]

_INTERVAL = "95\N{NO-BREAK SPACE}% intervals of the mean over seeds (t distribution)"
_WIDE = 1000  # largest loss over the smallest from which on an axis counts powers
_WIDE_SCORES = 20  # and largest error
_MOST_LINES = 12  # in one panel, if some can stand in the table alone
_MOST_PANELS, _MOST_OF_WEIGHTS, _UNFOLDED = 12, 4, 2
_AXES = {
    "hops": "reach K in hops (0: ReLU)",
    "density": "edge probability, or radius",
    "share": "share of faulty nodes",
    "snr": "signal to noise, dB",
}


@dataclass(frozen=True)
class Key:
    """One entry of a legend."""

    label: str
    color: int
    dash: int


@dataclass(frozen=True)
class Drawing:
    """Panels that are read together."""

    title: str
    caption: str
    legend: tuple[Key, ...]
    panels: tuple[tuple[str, str], ...]  # title, SVG
    folded: bool = False  # shown when asked for


def gallery(
    section: Section,
    printed: dict[str, float],
    tuned: Sequence[Selection] = (),
) -> list[Drawing]:
    """All figures of a section.

    Args:
        section: Configurations and their rows.
        printed: What the paper printed, by configuration.
        tuned: What was chosen on validation data, drawn in place of the candidates.
    """
    if tuned:
        return [_tuned(tuned)]
    if section.shows.startswith("losses"):
        found: list[Drawing | None] = [_losses(section)]
    else:
        found = [_scores(section, printed), _weights(section), _networks(section)]
    return [drawing for drawing in found if drawing and drawing.panels]


def _scores(section: Section, printed: dict[str, float]) -> Drawing | None:
    metric = section.groups[0].metric
    name, ylabel = labels.metric(metric), _measured(metric)
    x = series.axis(section)
    if x is None:
        return _dots(section, ylabel, metric, printed)
    xlabel = _xlabel(section, x)
    panels = [_fewer(panel) for panel in series.by_axis(section, x)]
    caption = f"Mean over the last five epochs; bars are {_INTERVAL}, side by side."
    if any(line.level for panel in panels for line in panel.series):
        caption += " Those of level lines stand at the right edge."
    if far := list(dict.fromkeys(name for p in panels for name in p.left_out)):
        caption += f" In the table only: {', '.join(far)}."
    return _drawing(
        f"{name} over {xlabel}",
        caption,
        panels,
        partial(
            figures.draw,
            xlabel=xlabel,
            ylabel=ylabel,
            metric=metric,
            log=not labels.percent(metric) and _apart(panels) > _WIDE_SCORES,
        ),
    )


def _fewer(panel: Panel) -> Panel:
    """Of many lines without those of more taps than the first, which the table has."""
    more = [line.label for line in panel.series if "taps" in line.label][1:]
    if len(panel.series) <= _MOST_LINES or not more:
        return panel
    kept = tuple(line for line in panel.series if line.label not in more)
    return replace(panel, series=kept, left_out=(*panel.left_out, *more))


def _dots(
    section: Section, xlabel: str, metric: str, printed: dict[str, float]
) -> Drawing | None:
    panels = series.dots(section)
    if all(len(panel.series) < 2 for panel in panels):
        return None
    published = tuple(printed.get(g.config_hash) for g in section.groups)
    beside = published if len(panels) == 1 else ()
    caption = f"Mean over the last five epochs; lines are {_INTERVAL}."
    if any(value is not None for value in beside):
        caption += " Open diamonds: the paper's single numbers."
    draw = partial(figures.draw_dots, xlabel=xlabel, metric=metric, published=beside)
    found = _drawing(f"{labels.metric(metric)} by model", caption, panels, draw)
    return replace(found, legend=())


def _tuned(lines: Sequence[Selection]) -> Drawing:
    metric = lines[0].metric
    name = "RMSE" if metric.startswith("rmse") else labels.metric(metric)
    caption = (
        "Of each kind of model and on each seed the candidate that validation data "
        f"prefers; lines are {_INTERVAL}."
    )
    draw = partial(figures.draw_dots, xlabel=_measured(metric), metric=metric)
    found = _drawing(f"{name} after tuning", caption, series.chosen(lines), draw)
    return replace(found, legend=())


def _losses(section: Section) -> Drawing:
    panels = series.by_epoch(section, ("train_loss", "valid_loss"))
    ylabel = labels.loss(section.groups[0].settings)
    log = _apart(panels) > _WIDE
    limits = None if log or section.only_drawn else _shared(panels)
    draw = partial(figures.draw, xlabel="epoch", ylabel=ylabel, log=log, limits=limits)
    dropout = any(group.settings["dropout"] for group in section.groups)
    training = "Training (with dropout)" if dropout else "Training"
    bands = f"bands are {_INTERVAL}"
    if section.only_drawn:
        bands = "one run each, on one seed: to be looked at, not compared"
    caption = f"{training} solid, validation dashed where there is one; {bands}."
    found = _drawing("Loss by epoch", caption, panels, draw)
    return replace(found, legend=())


def _apart(panels: list[Panel]) -> float:
    """The largest value over the smallest: of far ones powers of ten are drawn."""
    means = _means(panels)
    return max(means) / min(means) if means and min(means) > 0 else 0.0


def _shared(panels: list[Panel]) -> tuple[float, float] | None:
    """Limits that hold the lines of all panels, so that they can be compared."""
    means = _means(panels)
    if not means:
        return None
    room = 0.05 * (max(means) - min(means))
    return min(means) - room, max(means) + room


def _means(panels: list[Panel]) -> list[float]:
    """All values that can be drawn: training may have diverged."""
    drawn = (y.mean for p in panels for line in p.series for _, y in line.points)
    return list(filter(math.isfinite, drawn))


def _weights(section: Section) -> Drawing | None:
    panels = series.by_hop(section)
    if len(panels) > _MOST_OF_WEIGHTS:
        return None
    draw = partial(figures.draw, xlabel="hop k", ylabel="weight of hop k")
    caption = (
        "What the activation learned: the weight of each neighbourhood, averaged over "
        f"the features of the first layer; bars are {_INTERVAL}. "
        "Training starts at 1/(K + 1) for every hop unless said otherwise."
    )
    found = _drawing("Learned hop weights", caption, panels, draw)
    return replace(found, folded=len(found.panels) > _UNFOLDED)


def _networks(section: Section) -> Drawing | None:
    panels = word_pictures(section)
    title = "Word adjacency networks of the most frequent words"
    caption = f"Of the training excerpts of one split. {CAPTION}"
    return Drawing(title, caption, (), tuple(panels), folded=True) if panels else None


def _measured(metric: str) -> str:
    """What stands at an axis of scores."""
    name = labels.metric(metric)
    return f"test {name}, %" if labels.percent(metric) else f"test {name}"


def _xlabel(section: Section, x: str) -> str:
    families = {group.settings.get("graph") for group in section.groups}
    if x == "density" and len(families) == 1:
        return {"erdos-renyi": "edge probability"}.get(str(families.pop()), "radius")
    return _AXES.get(x, x.replace("_", " "))


def _drawing(
    title: str, caption: str, panels: list[Panel], draw: Callable[[Panel], str]
) -> Drawing:
    keys = {
        line.label: Key(line.label, line.color, line.dash)
        for panel in panels
        for line in panel.series
    }
    shown = tuple((panel.title, draw(panel)) for panel in panels[:_MOST_PANELS])
    left = len(panels) - len(shown)
    caption += f" {left} more panels are in the table only." if left else ""
    title = title[:1].upper() + title[1:]
    return Drawing(title, caption, tuple(keys.values()), shown)
