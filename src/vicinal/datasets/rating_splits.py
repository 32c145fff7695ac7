"""Splits of ratings: drawn by line, never by value.

``"random"`` draws a tenth of all ratings. It is the same for all targets of a table:
each of the 20 users, or movies, with most ratings has exactly one in ten of them
(rounded down) in the test, and ratings of the others fill it up. ``"u1"`` to ``"u5"``
are the publisher's: the test of u2 is the second fifth of the file.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vicinal.datasets.ratings import Ratings

__all__ = ["TARGETS", "Side", "Split", "SplitName", "most_rated", "split_ratings"]

Side = Literal["users", "movies"]
SplitName = Literal["random", "u1", "u2", "u3", "u4", "u5"]

TARGETS = 20
_ONE_IN = 10
_FOLDS = 5


@dataclass(frozen=True)
class Split:
    """Lines of the file: who may be learned from, chosen by, and judged by."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]  # empty where nothing is chosen
    test: NDArray[np.int64]


def split_ratings(
    ratings: Ratings,
    side: Side,
    seed: int,
    *,
    name: SplitName = "random",
    validated: bool = False,
) -> Split:
    r"""Split ratings; the validation part is drawn from the rest as the test was.

    Args:
        ratings: All of them.
        side: Whether the targets are users or movies.
        seed: Of the draw.
        name: Of the split.
        validated: Whether to hold out a validation part.

    Example:
        >>> from vicinal.datasets.ratings import parse_ratings
        >>> lines = (f"{i % 2 + 1}\t{i + 1}\t3\t0\n" for i in range(40))
        >>> ratings = parse_ratings("".join(lines).encode())
        >>> split = split_ratings(ratings, "users", seed=0)
        >>> len(split.train), len(split.test)
        (36, 4)
    """
    generator = np.random.default_rng(seed)
    everything = np.arange(len(ratings.stars))
    if name == "random":
        test = _tenth(ratings, side, everything, generator)
    else:
        test = np.array_split(everything, _FOLDS)[int(name[1]) - 1]
    rest = np.setdiff1d(everything, test)
    none = np.empty(0, dtype=np.int64)
    valid = _tenth(ratings, side, rest, generator) if validated else none
    return Split(np.setdiff1d(rest, valid), valid, test)


def most_rated(ratings: Ratings, side: Side, count: int = TARGETS) -> list[int]:
    r"""Users, or movies, with most ratings; the lower number first where they tie.

    Example:
        >>> from vicinal.datasets.ratings import parse_ratings
        >>> ratings = parse_ratings(b"1\t1\t5\t0\n2\t1\t5\t0\n2\t2\t5\t0\n")
        >>> most_rated(ratings, "users", 1), most_rated(ratings, "movies", 2)
        ([1], [0, 1])
    """
    counts = np.bincount(getattr(ratings, side))
    order = np.argsort(-counts, kind="stable")[:count]
    return [int(node) for node in order]


def _tenth(
    ratings: Ratings,
    side: Side,
    lines: NDArray[np.int64],
    generator: np.random.Generator,
) -> NDArray[np.int64]:
    """One line in ten: of each target exactly, of all others together."""
    nodes = getattr(ratings, side)[lines]
    targets = most_rated(ratings, side)
    parts = []
    for target in targets:
        own = lines[nodes == target]
        parts.append(generator.choice(own, len(own) // _ONE_IN, replace=False))
    others = lines[~np.isin(nodes, targets)]
    wanted = len(lines) // _ONE_IN - sum(map(len, parts))
    parts.append(generator.choice(others, min(wanted, len(others)), replace=False))
    return np.sort(np.concatenate(parts))
