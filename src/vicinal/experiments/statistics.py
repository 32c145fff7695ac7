"""Scores in, numbers out: means, intervals, paired differences, their tests.

What is undefined is NaN, never a guess: one value has a mean but neither an error nor
an interval. Values that are all alike have an interval of width zero.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

__all__ = ["Comparison", "Summary", "compare", "holm", "p_value", "summarize"]

_LEVEL = 0.95
_DIGITS = 12  # differences closer than this are ties: rounding noise has no rank


@dataclass(frozen=True)
class Summary:
    """Mean, standard error and 95 % interval of ``n`` values."""

    n: int
    mean: float
    se: float
    low: float
    high: float

    @property
    def deviation(self) -> float:
        """Standard deviation of the values."""
        return self.se * math.sqrt(self.n)


@dataclass(frozen=True)
class Comparison:
    """Paired differences: their summary, wins and ties, and the signed-rank p-value."""

    difference: Summary
    wins: int
    ties: int
    wilcoxon: float


def summarize(values: Sequence[float]) -> Summary:
    r"""Summarize values by the t distribution.

    .. math:: \bar x \pm t_{0.975, n-1} \, s / \sqrt n

    Of one value only the mean is defined, of none not even that; the rest is NaN. Runs
    that diverged, to infinity or NaN, leave no error and no interval either.

    Example:
        >>> summary = summarize([1.0, 2.0, 3.0])
        >>> summary.mean, round(summary.se, 4), round(summary.high, 4)
        (2.0, 0.5774, 4.4841)
    """
    n = len(values)
    finite = all(map(math.isfinite, values))
    mean = (math.fsum(values) if finite else sum(values)) / n if n else math.nan
    if n < 2 or not finite:
        return Summary(n, mean, math.nan, math.nan, math.nan)
    se = float(np.std(np.asarray(values, dtype=float) - mean, ddof=1)) / math.sqrt(n)
    half = float(special.stdtrit(n - 1, (1 + _LEVEL) / 2)) * se
    return Summary(n, mean, se, mean - half, mean + half)


def p_value(summary: Summary, margin: float = 0.0) -> float:
    r"""Two-sided p-value of the t test that the mean is the margin.

    It is below 0.05 exactly if the 95 % interval leaves the margin out. Without spread
    it is 1 at the margin and 0 elsewhere; of fewer than two values it is NaN.

    Example:
        >>> round(p_value(summarize([1.0, 2.0, 3.0])), 4)
        0.0742
        >>> p_value(summarize([2.0, 2.0])), p_value(summarize([2.0, 2.0]), margin=2.0)
        (0.0, 1.0)
    """
    if math.isnan(summary.se):
        return math.nan
    if summary.se == 0.0:
        return float(math.isclose(summary.mean, margin, abs_tol=10.0**-_DIGITS))
    t = abs(summary.mean - margin) / summary.se
    return float(2.0 * special.stdtr(summary.n - 1, -t))


def compare(
    ours: Mapping[int, float], theirs: Mapping[int, float], higher_wins: bool = True
) -> Comparison:
    """Compare scores that have a seed, and so a graph and its data, in common.

    Seeds that only one side has are left out. A tie is neither won nor lost and has no
    rank; if all are ties the signed-rank p-value is 1, if there is no pair it is NaN.

    Args:
        ours: Scores by seed.
        theirs: Scores by seed, taken off ours.
        higher_wins: Whether the higher of two scores is the better one.

    Example:
        >>> found = compare({0: 3.0, 1: 5.0, 2: 4.0}, {0: 1.0, 1: 2.0, 2: 4.0, 9: 7.0})
        >>> found.difference.n, round(found.difference.mean, 4), found.wins, found.ties
        (3, 1.6667, 2, 1)
    """
    seeds = sorted(ours.keys() & theirs.keys())
    differences = [round(ours[seed] - theirs[seed], _DIGITS) for seed in seeds]
    sign = 1 if higher_wins else -1
    wins = sum(sign * value > 0 for value in differences)
    ties = sum(value == 0 for value in differences)
    return Comparison(summarize(differences), wins, ties, _signed_rank(differences))


def holm(p_values: Sequence[float]) -> list[float]:
    r"""Adjust p-values of one family so that any false finding has probability 0.05.

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min\{1, (m - j + 1) \, p_{(j)}\}

    A NaN stays NaN and is no member of the family.

    Example:
        >>> [round(p, 4) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    adjusted = [math.nan] * len(p_values)
    known = [i for i, p in enumerate(p_values) if not math.isnan(p)]
    largest = 0.0
    for rank, i in enumerate(sorted(known, key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(known) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def _signed_rank(differences: list[float]) -> float:
    """Wilcoxon's two-sided p-value, exact: ties share the mean of their ranks."""
    if not differences or not all(map(math.isfinite, differences)):
        return math.nan
    moved = np.array([value for value in differences if value != 0])
    doubled = (2 * stats.rankdata(np.abs(moved))).astype(int)  # whole, also of ties
    chances = np.ones(1)  # of each sum of the ranks of positive differences
    for rank in doubled:
        without, with_it = np.pad(chances, (0, rank)), np.pad(chances, (rank, 0))
        chances = (without + with_it) / 2
    above = doubled[moved > 0].sum()
    fewer = min(above, doubled.sum() - above)
    return float(min(1.0, 2 * chances[: fewer + 1].sum()))
