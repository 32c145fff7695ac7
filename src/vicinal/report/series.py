"""Which lines a figure of a section draws: rows to named points with intervals."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vicinal.experiments.statistics import Summary, summarize
from vicinal.report import labels
from vicinal.report.results import Group, Section
from vicinal.report.selection import Selection

__all__ = ["Panel", "Series", "axis", "by_axis", "by_epoch", "by_hop", "chosen"]
__all__ += ["dots"]

_COLORS = ("relu", "max", "median", "mean", "identity")  # the first five, always
_OTHERS = {
    "mlp": 5,
    "gcn": 5,
    "prelu": 5,
    "median-filter": 6,
    "sgc": 6,
    "maxout": 6,
    "logistic-regression": 6,
    "word-logistic": 6,
    "linear-svm": 7,
    "median-ridge": 7,
    "appnp": 7,
    "nearest-neighbor": 7,
    "tanh": 7,
}
_LAST = 8
_FEWEST = 3  # values that make an axis
_DASHES = 4  # kinds of dashes
_FAR = 4  # times the span of the lines
_FAR_SHARE = 0.1  # and for shares this much
_NUMBERED = ("target",)  # names that happen to be numbers


@dataclass(frozen=True)
class Series:
    """One line: its name, its color and dash by number, and its points."""

    label: str
    color: int
    dash: int
    points: tuple[tuple[float, Summary], ...]
    level: bool = False  # one value that the others are held against


@dataclass(frozen=True)
class Panel:
    """Lines that share two axes."""

    title: str
    series: tuple[Series, ...]
    left_out: tuple[str, ...] = ()  # levels too far from the lines to be drawn


def axis(section: Section) -> str | None:
    """The setting that a section is a curve over: reach first, else most values."""
    settings = [labels.effective(group.settings) for group in section.groups]
    counts = {
        name: len({one[name] for one in settings if _numeric(one[name])})
        for name in ["hops", *filter(labels.of_task, _varying(section))]
        if name not in _NUMBERED and all(_numeric(one[name]) for one in settings)
    }
    usable = [name for name, count in counts.items() if count >= _FEWEST]
    if counts.get("hops", 0) > _FEWEST:
        return "hops"
    return max((n for n in usable if n != "hops"), key=counts.__getitem__, default=None)


def by_axis(section: Section, x: str) -> list[Panel]:
    """Scores over a setting: a panel for what else varies, a line for each model."""
    names = _names(section, {x: 0})

    def lines(groups: Sequence[Group]) -> list[Series]:
        named: dict[str, list[Group]] = {}
        for group in groups:
            name = names[group.config_hash].replace("0-hop ", "")
            named.setdefault(name, []).append(group)
        start = _start(groups) if x == "hops" else []
        return [
            _line(name, [*start, *line] if _reach(line[0], x) else line, x)
            for name, line in named.items()
        ]

    least = _FAR_SHARE if labels.percent(section.groups[0].metric) else 0.0
    return _told_apart([_near(p, least) for p in _panels(section, (x,), lines)])


def _near(panel: Panel, least: float) -> Panel:
    """Without levels so far away that the lines would be one."""
    means = [y.mean for line in panel.series if not line.level for _, y in line.points]
    if not means:
        return panel
    low, high = min(means), max(means)
    room = max(_FAR * (high - low), least)
    far = [
        line.label
        for line in panel.series
        if line.level and not low - room <= line.points[0][1].mean <= high + room
    ]
    kept = tuple(line for line in panel.series if line.label not in far)
    return replace(panel, series=kept, left_out=tuple(far))


def _told_apart(panels: Sequence[Panel]) -> list[Panel]:
    """Lines of one color get a dash each, their own if it is free, in all panels."""
    dashes: dict[tuple[int, str], int] = {}
    for line in (line for panel in panels for line in panel.series):
        taken = {dash for (color, _), dash in dashes.items() if color == line.color}
        turns = (line.dash + turn for turn in range(_DASHES))
        free = (dash % _DASHES for dash in turns if dash % _DASHES not in taken)
        dashes.setdefault((line.color, line.label), next(free, line.dash))
    return [
        replace(
            panel,
            series=tuple(
                replace(line, dash=dashes[line.color, line.label])
                for line in panel.series
            ),
        )
        for panel in panels
    ]


def by_epoch(section: Section, curves: tuple[str, ...]) -> list[Panel]:
    """Curves over epochs, a panel for each configuration."""
    panels = []
    for group in section.groups:
        lines = [_curve(group, name, dash) for dash, name in enumerate(curves)]
        kept = tuple(line for line in lines if line.points)
        if kept:
            panels.append(Panel(labels.model(group.settings), kept))
    return panels


def by_hop(section: Section) -> list[Panel]:
    """Learned weights of the first layer over hops, a line for each configuration.

    Networks of other numbers of layers have a panel of their own.
    """

    def lines(groups: Sequence[Group]) -> list[Series]:
        kept = [g for g in groups if g.rows[0].result.get("hop_weights")]
        names = labels.full_names([group.settings for group in kept])
        return [_weights(g, name) for g, name in zip(kept, names, strict=True)]

    return _told_apart(_panels(section, (), lines, of_networks=("layers",)))


def dots(section: Section) -> list[Panel]:
    """One point for each model, a panel for what else varies."""
    names = _names(section, {})

    def lines(groups: Sequence[Group]) -> list[Series]:
        return [_point(group, names[group.config_hash]) for group in groups]

    return _panels(section, (), lines)


def _names(section: Section, blank: dict[str, Any]) -> dict[str, str]:
    """What a model is called in all panels of a section."""
    settings = [group.settings | blank for group in section.groups]
    names = labels.full_names(settings)
    return {g.config_hash: name for g, name in zip(section.groups, names, strict=True)}


def chosen(lines: Sequence[Selection]) -> list[Panel]:
    """One point for each kind of tuned model, a panel for each set of data."""
    panels: dict[str, list[Series]] = {}
    for line in lines:
        color, _ = _style(dict(line.settings))
        point = Series(line.kind, color, 0, ((0.0, line.ours),))
        panels.setdefault(line.data, []).append(point)
    return [Panel(labels.title(name), tuple(some)) for name, some in panels.items()]


def _panels(
    section: Section,
    used: tuple[str, ...],
    lines: Callable[[Sequence[Group]], list[Series]],
    of_networks: tuple[str, ...] = (),
) -> list[Panel]:
    """A panel for each value of what varies, of the data and of these settings."""
    settings = [labels.effective(group.settings) for group in section.groups]
    split_by = [n for n in _varying(section) if labels.of_task(n) or n in of_networks]
    rest = [name for name in split_by if name not in used]
    split: dict[str, list[Group]] = {}
    for group, known in zip(section.groups, settings, strict=True):
        title = ", ".join(labels.setting(name, known[name]) for name in rest)
        split.setdefault(title, []).append(group)
    panels = [
        Panel(labels.title(title), tuple(lines(groups)))
        for title, groups in split.items()
    ]
    return [panel for panel in panels if panel.series]


def _varying(section: Section) -> list[str]:
    return labels.varying([group.settings for group in section.groups])


def _start(groups: Sequence[Group]) -> list[Group]:
    """ReLU, where a curve over hops begins: the paper's K = 0."""
    return [g for g in groups if labels.model(g.settings) == "ReLU"][:1]


def _reach(group: Group, x: str) -> bool:
    return x == "hops" and group.settings["hops"] > 0


def _line(name: str, groups: Sequence[Group], x: str) -> Series:
    points = [(float(labels.effective(g.settings)[x]), _score(g)) for g in groups]
    color, dash = _style(groups[-1].settings)
    alone = x == "hops" and len(points) == 1
    dash = (1 if alone else 0) if x == "hops" else dash
    points.sort(key=lambda point: point[0])
    return Series(name, color, dash, tuple(points), level=alone)


def _curve(group: Group, name: str, dash: int) -> Series:
    curves = [row.result["curves"].get(name, []) for row in group.rows]
    length = min(map(len, curves))
    points = [(e + 1.0, summarize([c[e] for c in curves])) for e in range(length)]
    label = {"train_loss": "training", "valid_loss": "validation"}.get(name, name)
    return Series(label, _style(group.settings)[0], dash, tuple(points))


def _weights(group: Group, name: str) -> Series:
    found = [row.result["hop_weights"] for row in group.rows]
    layers = [weights[0] for weights in found if weights]
    over_seeds = itertools.zip_longest(*layers, fillvalue=float("nan"))
    points = [(float(k), summarize(values)) for k, values in enumerate(over_seeds)]
    color, dash = _style(group.settings)
    return Series(name, color, dash, tuple(points))


def _point(group: Group, name: str) -> Series:
    color, dash = _style(group.settings)
    return Series(name, color, dash, ((0.0, _score(group)),))


def _score(group: Group) -> Summary:
    return summarize(list(group.scores().values()))


def _style(settings: dict[str, Any]) -> tuple[int, int]:
    """A color for the activation and a dash for its reach."""
    activation, hops = settings["activation"], settings["hops"]
    dash = max(0, min(hops, 4) - 1) if settings["pointwise"] == "none" else 2
    dash = 3 if settings.get("clip") else dash
    if settings["model"] == "gnn" and activation in _COLORS:
        return _COLORS.index(activation), dash
    name = activation if settings["model"] == "gnn" else settings["model"]
    return _OTHERS.get(name, _LAST), dash


def _numeric(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
