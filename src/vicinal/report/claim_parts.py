"""What a claim is made of: differences with an interval, and counts without one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vicinal.experiments.statistics import Summary, p_value
from vicinal.report.results import Index

__all__ = ["CONFIRMED", "NOT_CONFIRMED", "OPPOSITE", "Computed", "Count", "Found"]
__all__ += ["Part", "Values"]

CONFIRMED, OPPOSITE, NOT_CONFIRMED = "confirmed", "opposite", "not confirmed"


@dataclass(frozen=True)
class Values:
    """One named difference, value by value.

    Example:
        >>> Values("ReLU − max", [0.1, 0.2]).margin
        0.0
    """

    name: str
    values: list[float]
    margin: float = 0.0
    unit: str = "rmse"


@dataclass(frozen=True)
class Part:
    """One named difference and what was found.

    Example:
        >>> found = Summary(9, 0.08, 0.01, 0.06, 0.1)
        >>> Part("max − ReLU", found, 0.05, "accuracy").state
        'confirmed'
    """

    name: str
    difference: Summary
    margin: float
    unit: str
    alike: bool = False  # said to be within the margin, on both sides of zero

    @property
    def counted(self) -> bool:
        """Never, for it has an interval."""
        return False

    @property
    def n(self) -> int:
        """How many pairs it is of."""
        return self.difference.n

    @property
    def state(self) -> str:
        """On which side its interval lies."""
        if self.alike:
            return self._likeness
        if self.difference.low > self.margin:
            return CONFIRMED
        if self.difference.high < min(0.0, self.margin):
            return OPPOSITE
        return NOT_CONFIRMED

    @property
    def _likeness(self) -> str:
        if -self.margin < self.difference.low and self.difference.high < self.margin:
            return CONFIRMED
        beyond = self.margin < self.difference.low
        return OPPOSITE if beyond or self.high < -self.margin else NOT_CONFIRMED

    @property
    def p(self) -> float:
        """Of the t test against the bound that its state is about, or the nearer."""
        if self.alike:
            near = math.copysign(self.margin, self.difference.mean)
            return p_value(self.difference, near)
        bound = min(0.0, self.margin) if self.state == OPPOSITE else self.margin
        return p_value(self.difference, bound)

    @property
    def support(self) -> float:
        """How far it is beyond its margin, in standard errors."""
        found = self.difference
        ahead = found.mean - self.margin
        ahead = self.margin - abs(found.mean) if self.alike else ahead
        if math.isnan(found.se):
            return -math.inf
        return ahead / found.se if found.se else ahead * math.inf if ahead else 0.0

    @property
    def high(self) -> float:
        """The end of the interval that is nearest to the claim."""
        return self.difference.high


@dataclass(frozen=True)
class Count:
    """In how many cases one side is ahead, and in how many it is said to be.

    It is decided exactly: confirmed if ahead at least as often as claimed, opposite if
    behind as often. It has neither an interval nor a p-value.

    Example:
        >>> Count("local, 5 users", ahead=4, behind=1, n=5, claimed=4).state
        'confirmed'
    """

    name: str
    ahead: int
    behind: int
    n: int
    claimed: int

    @property
    def counted(self) -> bool:
        """Always."""
        return True

    @property
    def state(self) -> str:
        """Which side is ahead as often as claimed."""
        if self.ahead >= self.claimed:
            return CONFIRMED
        return OPPOSITE if self.behind >= self.claimed else NOT_CONFIRMED

    @property
    def p(self) -> float:
        """NaN, for no test belongs to a count."""
        return math.nan

    @property
    def support(self) -> float:
        """How many more than claimed."""
        return float(self.ahead - self.claimed)

    @property
    def high(self) -> float:
        """How many fewer than would be the opposite; the larger, the nearer."""
        return float(self.claimed - self.behind)


Found = Sequence[Values | Count] | None  # none while a planned row is missing
Computed = Callable[[Index], Found]
