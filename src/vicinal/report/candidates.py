"""What a tuned study chooses from: configurations on one author's or target's data.

Shares are scored as everywhere, by the mean over the last five epochs. Of ratings a
candidate is the network of its epoch of lowest validation loss: heads for classes, read
as softmax expectation, and for regression then have an RMSE in common.
"""

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from vicinal.experiments.row import LAST, Row
from vicinal.metrics import higher_is_better
from vicinal.report import labels
from vicinal.report.results import EXPECTED, HEADLINE, Group, Section

__all__ = ["Candidate", "candidates"]

_DATA = ("author", "target", "targets")  # settings that say whose data it is
_SIDES = {"movies-users": "user", "movies-items": "movie"}
_PARTS = {"users": "user", "movies": "movie"}


@dataclass(frozen=True)
class Candidate:
    """One configuration on one set of data, its scores by seed.

    ``cost`` is what chooses, lower is better; it is empty where there is no validation
    score, and infinite where training diverged.
    """

    data: str
    kind: str  # what it competes within
    settings: Mapping[str, Any]
    metric: str
    test: Mapping[int, float]
    cost: Mapping[int, float]
    rows: tuple[Row, ...] = ()  # behind the scores


def candidates(section: Section) -> list[Candidate]:
    """All of a section; what completes all ratings at once, once for each target."""
    kinds = {_kind(g.settings) for g in section.groups if _chosen_from(g)}
    names = _lone_names([g for g in section.groups if not _chosen_from(g)], kinds)
    found = [c for group in section.groups for c in _of_group(group, names)]
    own = {candidate.data for candidate in found if candidate.cost}
    return [one for one in found if one.data in own or not own]


def _of_group(group: Group, lone: Mapping[str, str]) -> Iterator[Candidate]:
    settings = group.settings
    if not _chosen_from(group):
        kind, metric = lone[group.config_hash], group.metric
        for data, test in _lone_scores(group).items():
            yield Candidate(data, kind, settings, metric, test, {}, group.rows)
        return
    metric = _metric(group)
    which = "best" if _by_epoch(metric) else HEADLINE
    cost = {row.seed: _cost(row, metric) for row in group.rows}
    test = group.scores(which, metric)
    data, kind = _data(settings), _kind(settings)
    yield Candidate(data, kind, settings, metric, test, cost, group.rows)


def _lone_scores(group: Group) -> dict[str, dict[int, float]]:
    """Scores by data and seed of what has no validation score."""
    if "targets" not in group.settings:
        return {_data(group.settings): group.scores()}
    side = _PARTS[group.settings["targets"]]
    found: dict[str, dict[int, float]] = {}
    for row in group.rows:
        for target, score in row.result.get("parts", {}).items():
            found.setdefault(f"{side} {target}", {})[row.seed] = score
    return found


def _lone_names(groups: Iterable[Group], taken: Container[str]) -> dict[str, str]:
    """Names of what is no candidate, with what tells apart those of the same name."""
    alike: dict[str, list[Group]] = {}
    for group in groups:
        alike.setdefault(labels.model(group.settings), []).append(group)
    names = {}
    for name, some in alike.items():
        blank = [g.settings | {k: "" for k in _DATA if k in g.settings} for g in some]
        for group, settings in zip(some, blank, strict=True):
            own = [labels.setting(k, settings[k]) for k in labels.varying(blank)]
            own += ["not tuned"] if name in taken else []
            names[group.config_hash] = f"{name} ({', '.join(own)})" if own else name
    return names


def _chosen_from(group: Group) -> bool:
    return bool(group.rows[0].result["curves"].get(f"valid_{_metric(group)}"))


def _metric(group: Group) -> str:
    return EXPECTED if EXPECTED in group.rows[0].scores else group.metric


def _by_epoch(metric: str) -> bool:
    """Whether validation data chooses the epoch too: of ratings."""
    return metric.startswith("rmse")


def _cost(row: Row, metric: str) -> float:
    """The validation score, less where it is better."""
    curves = row.result["curves"]
    curve = curves.get(f"valid_{metric}", [])
    if _by_epoch(metric):
        losses = [math.inf if math.isnan(x) else x for x in curves["valid_loss"]]
        score = curve[losses.index(min(losses))] if curve else math.nan
    else:
        score = fmean(curve[-LAST:]) if curve else math.nan
    score = -score if higher_is_better(metric) else score
    return math.inf if math.isnan(score) else score


def _data(settings: Mapping[str, Any]) -> str:
    if "target" in settings:
        return f"{_SIDES.get(settings['task'], 'target')} {settings['target']}"
    return labels.value(settings.get("author", ""))


def _kind(settings: dict[str, Any]) -> str:
    """The model's name without its reach."""
    if settings["model"] == "gnn" and settings["hops"]:
        return str(settings["activation"])
    return labels.model(settings)
