"""Who may see which excerpt: an author's own, and as many of others, in three parts.

An excerpt is in one part only, and the author is never among the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vicinal.datasets.excerpts import Excerpts
from vicinal.datasets.tokens import Numbers

__all__ = ["Split", "by_book", "random_split", "with_validation"]

_TRAINED = 0.8  # share of an author's excerpts


@dataclass(frozen=True)
class Split:
    """Places of excerpts: (own, of others) for training, validation, test."""

    train: tuple[Numbers, Numbers]
    test: tuple[Numbers, Numbers]
    valid: tuple[Numbers, Numbers] = (np.empty(0, np.int64), np.empty(0, np.int64))


def random_split(
    excerpts: Excerpts, author: str, others: Sequence[str], seed: int
) -> Split:
    """80 % of an author's excerpts for training, 20 % for the test, at random.

    As many excerpts are drawn from all others together, without replacement.

    Args:
        excerpts: Of all authors.
        author: Whose excerpts are to be told.
        others: Authors of the others.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    own = rng.permutation(excerpts.of(author))
    rest = rng.permutation(_of_all(excerpts, others))
    _require_as_many(len(own), len(rest), author)
    if len(own) < 2:
        raise ValueError(
            f"`author` must have at least 2 excerpts, got {len(own)} of {author!r}; "
            "take shorter excerpts"
        )
    first = min(max(round(_TRAINED * len(own)), 1), len(own) - 1)
    return Split((own[:first], rest[:first]), (own[first:], rest[first : len(own)]))


def by_book(excerpts: Excerpts, author: str, others: Sequence[str], seed: int) -> Split:
    """Leave one book out: the test has all excerpts of one book, training of no such.

    The seed names the book, modulo their number. The others of the test are from one
    book of each author, drawn at random, the others of training from their other books;
    authors of one book are on one side only, drawn at random.
    """
    rng = np.random.default_rng(seed)
    own, books = excerpts.of(author), np.unique(excerpts.book[excerpts.of(author)])
    if len(books) < 2:
        raise ValueError(
            f"`author` must have at least 2 books to leave one out, got {len(books)} "
            f"of {author!r}; set `split = 'random80'`"
        )
    _require_as_many(len(own), len(_of_all(excerpts, others)), author)
    left_out = excerpts.book[own] == books[seed % len(books)]
    asked = np.concatenate([_one_book(excerpts, name, rng) for name in others])
    rest = rng.permutation(_of_all(excerpts, others))
    tested = np.isin(excerpts.book[rest], asked)
    parts = []
    for mine, theirs in (
        (own[~left_out], rest[~tested]),
        (own[left_out], rest[tested]),
    ):
        _require_as_many(len(mine), len(theirs), author)
        parts.append((rng.permutation(mine), theirs[: len(mine)]))
    return Split(*parts)


def with_validation(split: Split, share: float) -> Split:
    """Cut a share of the training part off for validation: of own and others alike."""
    count = round(share * len(split.train[0]))
    if not 0 < count < len(split.train[0]):
        raise ValueError(
            f"`validation` must leave excerpts to both parts, got {share} of "
            f"{len(split.train[0])}; 0.2 is usual"
        )
    (own, rest), test = split.train, split.test
    return Split((own[count:], rest[count:]), test, (own[:count], rest[:count]))


def _of_all(excerpts: Excerpts, names: Sequence[str]) -> Numbers:
    numbers = [excerpts.names.index(name) for name in names]
    return np.flatnonzero(np.isin(excerpts.author, numbers))


def _one_book(excerpts: Excerpts, name: str, rng: np.random.Generator) -> Numbers:
    """A book of an author at random; the only one with probability one half."""
    books = np.unique(excerpts.book[excerpts.of(name)])
    chosen = rng.integers(max(len(books), 2))
    return books[chosen : chosen + 1]


def _require_as_many(own: int, rest: int, author: str) -> None:
    if rest < own:
        raise ValueError(
            f"`texts` must hold as many excerpts of others as of {author!r}, got "
            f"{rest} for {own}; add texts of others"
        )
