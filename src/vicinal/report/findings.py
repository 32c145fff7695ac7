"""What the numbers say, in sentences that are computed and so cannot flatter."""

from collections.abc import Iterable, Sequence

from vicinal.experiments.statistics import Comparison
from vicinal.metrics import higher_is_better
from vicinal.report.claims import (
    CONFIRMED,
    NOT_CONFIRMED,
    NOT_RUN,
    OPPOSITE,
    UNTESTABLE,
    Verdict,
)
from vicinal.report.comparisons import REFERENCES, ComparisonTable

__all__ = ["gains", "of_claims"]

_LEVEL = 0.05
_PHRASES = {
    CONFIRMED: "confirmed",
    OPPOSITE: "come out the opposite way",
    NOT_CONFIRMED: "not confirmed: the data do not decide, or decide in part only",
    NOT_RUN: "wait for their experiment to be run in full",
    UNTESTABLE: "cannot be tested by these runs",
}


def of_claims(verdicts: Sequence[Verdict]) -> list[str]:
    """How many claims have which verdict, and which they are."""
    sentences = []
    for word, phrase in _PHRASES.items():
        ids = [verdict.claim.id for verdict in verdicts if verdict.word == word]
        if ids:
            of = f"{len(ids)} of the paper's {len(verdicts)} numbered claims"
            verb = "" if word in (OPPOSITE, NOT_RUN, UNTESTABLE) else "are "
            sentences.append(f"{of} {verb}{phrase} ({', '.join(ids)}).")
    return sentences


def gains(found: Iterable[ComparisonTable]) -> list[str]:
    """How local activations fare against ReLU and against each control."""
    tallies: dict[str, dict[str, int]] = {}
    for table in found:
        for line in table.lines:
            for reference, pair in zip(table.references, line.against, strict=True):
                if line.local and pair is not None:
                    side = _side(*pair, higher_is_better(line.metric))
                    tallies.setdefault(reference, {})[line.config_hash] = side
    return [_sentence(name, list(sides.values())) for name, sides in tallies.items()]


def _side(comparison: Comparison, p: float, higher_wins: bool) -> int:
    """1 if better, -1 if worse, 0 if the interval or Holm's p-value cannot tell."""
    found = comparison.difference
    if not p < _LEVEL or not (found.low > 0 or found.high < 0):
        return 0
    return 1 if (found.mean > 0) == higher_wins else -1


def _sentence(reference: str, sides: list[int]) -> str:
    better, worse, alike = (sides.count(side) for side in (1, -1, 0))
    of = f"{better} of {len(sides)} local configurations are better"
    told = f"{of}, {worse} worse, {alike} cannot be told apart"
    return f"Against {REFERENCES[reference]}: {told}."
