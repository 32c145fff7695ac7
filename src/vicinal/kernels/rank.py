"""Which order statistic to take: integer ranks, never floating point ones."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from torch import Tensor

__all__ = ["LOWER_MEDIAN", "MAX", "MIN", "UPPER_MEDIAN", "Rank", "quantile"]

LARGEST_DENOMINATOR = 10**9  # numerator * 2^31 neighbours still fits into int64


class Rank(NamedTuple):
    r"""A rule that says which of :math:`n` sorted values is meant.

    .. math:: r(n) = \lfloor (p\,(n - 1) + o) / d \rfloor, \quad 0 \le r < n

    Example:
        >>> [UPPER_MEDIAN.position(n) for n in (1, 2, 3, 4)]
        [0, 1, 1, 2]
        >>> [LOWER_MEDIAN.position(n) for n in (1, 2, 3, 4)]
        [0, 0, 1, 1]
    """

    numerator: int
    offset: int
    denominator: int

    def position(self, count: int) -> int:
        """Position (from 0) among ``count`` sorted values."""
        return (self.numerator * (count - 1) + self.offset) // self.denominator

    def positions(self, counts: Tensor) -> Tensor:
        """Positions for an int64 tensor of counts, each at least 1."""
        scaled = self.numerator * (counts - 1) + self.offset
        return scaled.div(self.denominator, rounding_mode="floor")


MIN = Rank(0, 0, 1)
LOWER_MEDIAN = Rank(1, 0, 2)
UPPER_MEDIAN = Rank(1, 1, 2)
MAX = Rank(1, 0, 1)


def quantile(q: float) -> Rank:
    r"""Rank of the quantile ``q``: position :math:`\lfloor q (n - 1) \rfloor`.

    ``q`` is read as the decimal number it prints as, so that ``0.29`` of 101 values
    is position 29, which binary arithmetic misses.

    Example:
        >>> quantile(0.29).position(101)
        29
    """
    if isinstance(q, bool) or not isinstance(q, int | float | np.number):
        raise TypeError(f"`q` must be a number, got {type(q).__name__}")
    if not 0 <= q <= 1:
        raise ValueError(f"`q` must be in the range [0, 1], got {q}")
    exact = Fraction(str(q)).limit_denominator(LARGEST_DENOMINATOR)
    return Rank(exact.numerator, 0, exact.denominator)
