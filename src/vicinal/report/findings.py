"""What the numbers say, in sentences that are computed and so cannot flatter."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vicinal.experiments.statistics import Comparison, holm
from vicinal.metrics import higher_is_better
from vicinal.report.claims import (
    CONFIRMED,
    CONTRADICTED,
    NOT_CONFIRMED,
    NOT_RUN,
    OPPOSITE,
    UNTESTABLE,
    Verdict,
)
from vicinal.report.comparisons import ComparisonLine, ComparisonTable, families
from vicinal.report.references import REFERENCES

__all__ = ["Tally", "gains", "of_claims", "ranges", "smallest_p", "too_few_pairs"]

_LEVEL = 0.05
_PHRASES = {
    CONFIRMED: "Confirmed",
    OPPOSITE: "The opposite was found",
    CONTRADICTED: "Contradicted in part, some differences being opposite",
    NOT_CONFIRMED: "Not confirmed, for the data do not decide, or in part only",
    NOT_RUN: "Not run in full yet",
    UNTESTABLE: "Not to be tested by these runs",
}


def of_claims(verdicts: Sequence[Verdict]) -> list[str]:
    """How many claims have which verdict, and which they are."""
    sentences = []
    for word, phrase in _PHRASES.items():
        ids = [verdict.claim.id for verdict in verdicts if verdict.word == word]
        if ids:
            of = f"{len(ids)} of the paper's {len(verdicts)} numbered claims"
            sentences.append(f"{phrase}: {of} ({ranges(ids)}).")
    return sentences


def ranges(ids: Sequence[str]) -> str:
    """Ids in order, three or more in a row as a range.

    Example:
        >>> ranges(["A1", "A2", "A3", "A5", "B1"])
        'A1–A3, A5, B1'
    """
    runs: list[list[str]] = []
    for one in ids:
        before = runs[-1][-1] if runs else ""
        if before and one == f"{before[0]}{int(before[1:]) + 1}":
            runs[-1].append(one)
        else:
            runs.append([one])
    texts = [f"{r[0]}–{r[-1]}" if len(r) > 2 else ", ".join(r) for r in runs]
    return ", ".join(texts)


@dataclass(frozen=True)
class Tally:
    """How many local configurations are better than a reference, alike, or worse."""

    reference: str
    better: int
    alike: int
    worse: int
    left_out: int = 0  # those with too few pairs for any to be told

    @property
    def told(self) -> int:
        """How many could be told."""
        return self.better + self.alike + self.worse


class _Told(NamedTuple):
    """What a table tells of a configuration; of two, the larger one counts."""

    enough: bool  # pairs for any p-value to tell
    pairs: int
    p: float  # after Holm: the more cautious of as many pairs
    side: int


def gains(compared: Iterable[ComparisonTable]) -> list[Tally]:
    """How local activations fare against ReLU and against each control.

    A configuration that stands in several tables counts once, as the one with the most
    pairs tells.
    """
    tallies: dict[str, dict[str, _Told]] = {}
    for table in compared:
        groups = families([line.data for line in table.lines])
        alternatives = [i for i, n in enumerate(table.references) if n in REFERENCES]
        for places, column in itertools.product(groups, alternatives):
            counted = tallies.setdefault(table.references[column], {})
            for line, told in _told([table.lines[place] for place in places], column):
                if line.local:
                    before = counted.get(line.config_hash, told)
                    counted[line.config_hash] = max(before, told)
    sides = {
        name: [told.side if told.enough else None for told in found.values()]
        for name, found in tallies.items()
    }
    return [
        Tally(REFERENCES[name], *(given.count(side) for side in (1, 0, -1, None)))
        for name, given in sides.items()
        if given
    ]


def _told(
    lines: Sequence[ComparisonLine], column: int
) -> Iterator[tuple[ComparisonLine, _Told]]:
    """What is told of each line of a family, and by how many pairs."""
    known = [(line, pair) for line in lines if (pair := line.against[column])]
    floors = holm([smallest_p(pair[0].difference.n) for _, pair in known])
    for (line, (found, p)), floor in zip(known, floors, strict=True):
        side = _side(found, p, higher_is_better(line.metric))
        yield line, _Told(floor < _LEVEL, found.difference.n, p, side)


def smallest_p(pairs: int) -> float:
    """The smallest p-value that an exact signed-rank test, Wilcoxon's, can have.

    .. math:: 2^{1 - n}

    All signs agree: one of the two extremes of ``2^n`` equally likely ones.

    Example:
        >>> smallest_p(5), smallest_p(6)
        (0.0625, 0.03125)
    """
    return min(1.0, 2.0 ** (1 - pairs))


def too_few_pairs() -> str:
    """How few pairs can tell nothing, in words."""
    few = next(n for n in itertools.count() if smallest_p(n + 1) < _LEVEL)
    return (
        f"With {few} or fewer pairs an exact signed-rank test cannot reach {_LEVEL}: "
        f"its smallest p-value, 2^(1 \N{MINUS SIGN} n), is {smallest_p(few)} of {few} "
        "pairs; Holm's correction for many comparisons asks for more pairs. What can "
        "tell nothing for this reason is left out of the counts above."
    )


def _side(comparison: Comparison, p: float, higher_wins: bool) -> int:
    """1 if better, -1 if worse, 0 if the interval or Holm's p-value cannot tell."""
    found = comparison.difference
    if not p < _LEVEL or not (found.low > 0 or found.high < 0):
        return 0
    return 1 if (found.mean > 0) == higher_wins else -1
