"""Tuned models: for each seed the candidate that is best on validation data.

All candidates are rows; which one counts is computed here, never by the test score.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from vicinal.experiments.statistics import Summary, compare, summarize
from vicinal.metrics import higher_is_better
from vicinal.report.candidates import Candidate, candidates
from vicinal.report.cost_texts import cost_texts
from vicinal.report.results import Section

__all__ = ["REFERENCES", "Selection", "chosen", "references", "selections"]
__all__ += ["sentences"]

REFERENCES = ("relu", "identity", "mean", "word-logistic", "rating-biases")
_SIDES = ("ahead", "not to be told apart", "behind")

Kinds = dict[str, list[Candidate]]
Scores = dict[int, float]  # by seed


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
    against: Mapping[str, Summary]  # less a reference's score, on the same seeds
    settings: Mapping[str, Any]  # of its first candidate
    costs: tuple[str, ...]  # of its candidates, each
    pooled: bool = False  # whether it is a mean over targets

    def told(self, reference: str) -> str:
        """Which side of a reference it is on, if that can be said."""
        found = self.against.get(reference)
        if found is None or math.isnan(found.low):
            return ""
        sign = 1 if higher_is_better(self.metric) else -1
        low, high = sorted((sign * found.low, sign * found.high))
        ahead, alike, behind = _SIDES
        return ahead if low > 0 else behind if high < 0 else alike


def selections(section: Section) -> list[Selection]:
    """The kinds of models of a section that is about tuning; none of any other.

    Where there are several targets, means over them come first, seed by seed.
    """
    if section.shows != "tuned":
        return []
    by_data: dict[str, Kinds] = {}
    for one in candidates(section):
        by_data.setdefault(one.data, {}).setdefault(one.kind, []).append(one)
    scores = {
        data: {kind: chosen(some) for kind, some in kinds.items()}
        for data, kinds in by_data.items()
    }
    found = [
        line for data, kinds in by_data.items() for line in _lines(kinds, scores[data])
    ]
    return _pooled(by_data, scores) + found


def chosen(given: Sequence[Candidate]) -> Scores:
    """Test scores by seed, each of the candidate that validation data prefers.

    What has no validation score keeps its own. Of equally good candidates the first
    counts; a seed counts once all its candidates are there.

    Example:
        >>> one = Candidate("", "max", {}, "error", {0: 0.3}, {0: 0.1})
        >>> two = Candidate("", "max", {}, "error", {0: 0.2}, {0: 0.4})
        >>> chosen([one, two])
        {0: 0.3}
    """
    if len(given) == 1:
        return dict(given[0].test)
    common = sorted(set.intersection(*(set(one.cost) for one in given)))
    able = {s: [one for one in given if s in one.test] for s in common}
    return {
        seed: min(some, key=lambda one: one.cost[seed]).test[seed]
        for seed, some in able.items()
        if some
    }


def references(lines: Iterable[Selection]) -> list[str]:
    """The kinds that the others are compared with, as far as they are there."""
    found = [(_system(line.settings), line.kind) for line in lines]
    order = {name: place for place, name in enumerate(REFERENCES)}
    known = [(order[name], kind) for name, kind in found if name in order]
    return list(dict.fromkeys(kind for _, kind in sorted(known)))


def sentences(lines: Sequence[Selection]) -> list[str]:
    """Which tuned kinds are ahead of each reference; on means over targets, if any."""
    asked = [line for line in lines if line.pooled] or lines
    found = []
    for data in dict.fromkeys(line.data for line in asked):
        own = [line for line in asked if line.data == data]
        for reference in references(own):
            sides: dict[str, list[str]] = {side: [] for side in _SIDES}
            for line in own:
                if line.candidates > 1 and (side := line.told(reference)):
                    sides[side].append(line.kind)
            told = "; ".join(f"{s}: {', '.join(k)}" for s, k in sides.items() if k)
            found += [f"{data}, against {reference}: {told}."] if told else []
    return found


def _lines(kinds: Kinds, scores: Mapping[str, Scores]) -> list[Selection]:
    return [
        _selection(some, scores[kind], _against(kind, kinds, scores))
        for kind, some in kinds.items()
        if scores[kind]
    ]


def _selection(
    some: Sequence[Candidate], scores: Scores, against: dict[str, Summary]
) -> Selection:
    metrics = {one.metric for one in some}
    metric = metrics.pop() if len(metrics) == 1 else "rmse"  # heads of ratings
    ours = summarize(list(scores.values()))
    best = max if higher_is_better(metric) else min
    return Selection(
        data=some[0].data,
        kind=some[0].kind,
        metric=metric,
        candidates=len(some),
        ours=ours,
        deviation=ours.deviation,
        best_run=best(scores.values()),
        against=against,
        settings=some[0].settings,
        costs=_costs(some),
    )


def _costs(some: Sequence[Candidate]) -> tuple[str, ...]:
    return cost_texts([row for one in some for row in one.rows])


def _against(
    kind: str, kinds: Kinds, scores: Mapping[str, Scores]
) -> dict[str, Summary]:
    """Paired differences to every other kind that is a reference."""
    found: dict[str, Summary] = {}
    for other, some in kinds.items():
        if other != kind and _system(some[0].settings) in REFERENCES:
            difference = compare(scores[kind], scores[other]).difference
            found |= {other: difference} if difference.n else {}
    return found


def _pooled(
    by_data: Mapping[str, Kinds], scores: Mapping[str, Mapping[str, Scores]]
) -> list[Selection]:
    """Means over targets, of kinds that all of them have."""
    targets = [d for d, kinds in by_data.items() if _of_targets(kinds)]
    if len(targets) < 2:
        return []
    side = targets[0].split()[0]
    name = f"mean of {len(targets)} {side}s"
    shared = [k for k in by_data[targets[0]] if all(k in by_data[d] for d in targets)]
    means = {kind: _mean([scores[d][kind] for d in targets]) for kind in shared}
    kinds = {kind: by_data[targets[0]][kind] for kind in shared}
    return [
        replace(
            line,
            data=name,
            pooled=True,
            costs=_costs([one for d in targets for one in by_data[d][line.kind]]),
        )
        for line in _lines(kinds, means)
    ]


def _of_targets(kinds: Kinds) -> bool:
    settings = [one.settings for some in kinds.values() for one in some]
    return any("target" in one for one in settings)


def _mean(found: Sequence[Scores]) -> Scores:
    seeds = sorted(set.intersection(*map(set, found)))
    return {seed: fmean(one[seed] for one in found) for seed in seeds}


def _system(settings: Mapping[str, Any]) -> str:
    gnn = settings["model"] == "gnn"
    return str(settings["activation" if gnn else "model"])
