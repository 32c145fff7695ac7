"""Tuned models: for each seed the candidate that is best on validation data.

All candidates are rows; which one counts is computed here, by the validation score of
the last five epochs, never by the test score.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from vicinal.experiments.statistics import Summary, compare, summarize
from vicinal.experiments.store import Row
from vicinal.metrics import higher_is_better
from vicinal.report import labels
from vicinal.report.results import HEADLINE, Group, Section

__all__ = ["REFERENCE", "Selection", "chosen", "selections"]

REFERENCE = "word-logistic"
_LAST = 5  # epochs, as of the headline score
_TUNED = "tuned"


@dataclass(frozen=True)
class Selection:
    """One kind of model after its candidates were compared on validation data."""

    data: str
    kind: str
    metric: str
    candidates: int
    ours: Summary
    deviation: float
    best_run: float
    against: Summary  # less the reference's score, on the same seeds
    reference: str = labels.model({"model": REFERENCE})

    @property
    def sentence(self) -> str:
        """Whether the kind stays behind the reference, if that can be said."""
        found = self.against
        if not found.n or math.isnan(found.low) or self.kind == self.reference:
            return ""
        behind = found.low > 0 if not higher_is_better(self.metric) else found.high < 0
        ahead = found.high < 0 if not higher_is_better(self.metric) else found.low > 0
        told = "stays behind" if behind else "beats" if ahead else "cannot be told from"
        return f"{self.data}: {self.kind}, tuned, {told} {self.reference}."


def selections(section: Section) -> list[Selection]:
    """The kinds of models of a section that is about tuning; none of any other."""
    if not section.name.lower().startswith(_TUNED):
        return []
    named: dict[tuple[str, str], list[Group]] = {}
    for group in section.groups:
        named.setdefault((_data(group.settings), _kind(group.settings)), []).append(
            group
        )
    scores = {key: chosen(groups) for key, groups in named.items()}
    reference = labels.model({"model": REFERENCE})
    return [
        _selection(*key, named[key], found, scores.get((key[0], reference), {}))
        for key, found in scores.items()
        if found
    ]


def chosen(groups: Sequence[Group]) -> dict[int, float]:
    """Test scores by seed, each of the candidate that validation data prefers.

    A model without candidates keeps its score. Of equally good candidates the first
    counts; a seed counts once all its candidates are there.
    """
    if len(groups) == 1:
        return groups[0].scores()
    metric = groups[0].metric
    best = max if higher_is_better(metric) else min
    rows = [{row.seed: row for row in group.rows} for group in groups]
    common = sorted(set.intersection(*map(set, rows)))
    picked = {
        seed: best((each[seed] for each in rows), key=lambda row: _valid(row, metric))
        for seed in common
    }
    return {s: row.result["scores"][metric][HEADLINE] for s, row in picked.items()}


def _selection(
    data: str,
    kind: str,
    groups: Sequence[Group],
    scores: Mapping[int, float],
    reference: Mapping[int, float],
) -> Selection:
    metric, ours = groups[0].metric, summarize(list(scores.values()))
    best = max if higher_is_better(metric) else min
    return Selection(
        data=data,
        kind=kind,
        metric=metric,
        candidates=len(groups),
        ours=ours,
        deviation=ours.se * math.sqrt(ours.n),
        best_run=best(scores.values()),
        against=compare(scores, reference, higher_is_better(metric)).difference,
    )


def _valid(row: Row, metric: str) -> float:
    return fmean(row.result["curves"][f"valid_{metric}"][-_LAST:])


def _data(settings: dict[str, Any]) -> str:
    return labels.value(settings.get("author", ""))


def _kind(settings: dict[str, Any]) -> str:
    """The model's name without its reach."""
    if settings["model"] == "gnn" and settings["hops"]:
        return str(settings["activation"])
    return labels.model(settings)
