"""The paper's claims, and what our rows say of them.

A claim is a list of named differences. Each is confirmed if its 95 % interval lies
wholly beyond its margin, opposite if wholly on the other side of zero (and of the
margin). The claim is confirmed if all of them are, opposite if all are, contradicted in
part if some are opposite, else not confirmed.

The p-value of a claim is the largest of its parts' (an intersection of claims needs no
correction within); of one that is contradicted in part the smallest of the opposite
parts', times the number of all. Holm's correction runs over the claims of one
experiment; a verdict whose p-value is then 0.05 or more is taken back: not confirmed.
A claim about a count is decided by counting: it has no interval and no
p-value, and no place in that family.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from pydantic import BaseModel, ConfigDict

from vicinal.experiments import config
from vicinal.experiments.settings import validated
from vicinal.experiments.statistics import holm, summarize
from vicinal.report import rating_claims, run_claims
from vicinal.report.claim_parts import (
    CONFIRMED,
    NOT_CONFIRMED,
    OPPOSITE,
    Count,
    Part,
    Values,
)
from vicinal.report.contrasts import Contrast, Difference, Planned, expand, values
from vicinal.report.results import Index, plan

__all__ = ["CONFIRMED", "CONTRADICTED", "NOT_CONFIRMED", "NOT_RUN", "OPPOSITE"]
__all__ += ["UNTESTABLE", "Claim", "Part", "Verdict", "claims", "judge", "verdicts"]

NOT_RUN, UNTESTABLE = "not run yet", "cannot be tested"
CONTRADICTED = "contradicted in part"
_DECIDED = (CONFIRMED, OPPOSITE, CONTRADICTED)  # by a test, before its correction
_LEVEL = 0.05
COMPUTED = rating_claims.COMPUTED | run_claims.COMPUTED


class Claim(BaseModel):
    """One claim of the paper, where it stands, and the differences that decide it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    text: str
    where: str
    experiment: str
    rule: str = ""  # in words, where the differences alone do not say it
    untestable: str = ""  # why, if it cannot be tested
    differences: list[Difference] = []
    computed: str = ""  # name of the function that finds the differences, if any

    @property
    def experiments(self) -> set[str]:
        """Its own, and those whose cells its differences are about."""
        others = {rule.experiment for rule in self.differences if rule.experiment}
        return {self.experiment} | others


@dataclass(frozen=True)
class Verdict:
    """What became of a claim; ``p`` is Holm's, NaN where nothing was tested."""

    claim: Claim
    word: str
    parts: tuple[Part | Count, ...] = ()
    p: float = math.nan
    taken_back: str = ""  # what it would be without Holm's correction, if another

    @property
    def deciding(self) -> Part | Count | None:
        """The part nearest to changing the verdict; exact ones are the farthest."""
        if not self.parts:
            return None
        if self.word == OPPOSITE:
            return max(self.parts, key=lambda part: part.high)
        against = [part for part in self.parts if part.state == OPPOSITE]
        asked = against if self.word == CONTRADICTED else self.parts
        return min(asked, key=lambda part: (math.isinf(part.support), part.support))

    def count(self, state: str) -> int:
        """How many of its parts are in a state."""
        return sum(part.state == state for part in self.parts)


def claims() -> list[Claim]:
    """All claims, in the order of the paper.

    Example:
        >>> claims()[0].id
        'A1'
    """
    text = (resources.files("vicinal.report") / "claims.toml").read_text("utf-8")
    given = tomllib.loads(text)["claim"]
    return [validated(Claim, one, f"claims.toml, {one.get('id')}") for one in given]


def judge(claim: Claim, parts: Sequence[Part | Count]) -> Verdict:
    """The verdict before Holm's correction; p is 1 unless a side was taken.

    Counts alone leave no p-value: NaN.
    """
    states = {part.state for part in parts}
    word = CONTRADICTED if OPPOSITE in states else NOT_CONFIRMED
    word = states.pop() if len(states) == 1 else word
    tested = [part for part in parts if not part.counted]
    if not tested:
        return Verdict(claim, word, tuple(parts))
    p = max(part.p for part in tested)
    if word == CONTRADICTED:
        against = [part for part in parts if part.state == OPPOSITE]
        counted = any(part.counted for part in against)  # exact: nothing to correct
        p = math.nan if counted else min(1.0, *(len(tested) * o.p for o in against))
    return Verdict(claim, word, tuple(parts), 1.0 if word == NOT_CONFIRMED else p)


def verdicts(index: Index, given: Sequence[Claim] | None = None) -> list[Verdict]:
    """The verdict on every claim.

    Args:
        index: Rows.
        given: Claims; those of the paper if not given.
    """
    asked = claims() if given is None else given
    named = {name for claim in asked for name in claim.experiments}
    plans = {
        name: Planned(experiment, plan(config.blocks(experiment)))
        for name in sorted(named & set(config.names()))
        if (experiment := config.find(name))
    }
    return corrected([_found(claim, plans, index) for claim in asked])


def corrected(first: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts after Holm's correction within each experiment."""
    final = list(first)
    for name in {verdict.claim.experiment for verdict in first}:
        places = [i for i, v in enumerate(first) if v.claim.experiment == name]
        for place, p in zip(places, holm([first[i].p for i in places]), strict=True):
            word = first[place].word
            weak = word in _DECIDED and p >= _LEVEL  # NaN: a count
            final[place] = replace(
                first[place],
                p=p if word in _DECIDED else math.nan,
                word=NOT_CONFIRMED if weak else word,
                taken_back=word if weak else "",
            )
    return final


def _found(claim: Claim, plans: Mapping[str, Planned], index: Index) -> Verdict:
    if claim.untestable:
        return Verdict(claim, UNTESTABLE)
    parts = [*_differences(claim, plans, index), *_computed(claim, index)]
    known = [part for part in parts if part is not None]
    if not parts or len(known) < len(parts):
        return Verdict(claim, NOT_RUN)
    return judge(claim, known)


def _differences(
    claim: Claim, plans: Mapping[str, Planned], index: Index
) -> list[Part | None]:
    """The differences that are written as data; none for each that was not run."""
    return [
        _part(contrast, planned, index) if planned else None
        for rule in claim.differences
        for planned in [plans.get(rule.experiment or claim.experiment)]
        for contrast in expand(rule)
    ]


def _computed(claim: Claim, index: Index) -> list[Part | Count | None]:
    """Those that a function finds; none if it was not run."""
    if not claim.computed:
        return []
    found = COMPUTED[claim.computed](index)
    return [None] if found is None else [_summarized(one) for one in found]


def _summarized(one: Values | Count) -> Part | Count:
    if isinstance(one, Count):
        return one
    return Part(one.name, summarize(one.values), one.margin, one.unit)


def _part(contrast: Contrast, planned: Planned, index: Index) -> Part | None:
    found = values(contrast, planned, index)
    if found is None:
        return None
    rule = contrast.rule
    return Part(contrast.name, summarize(found), rule.margin, rule.unit, rule.alike)
