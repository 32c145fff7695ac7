"""One text to the numbers of its words, and to where a sentence or a clause ends.

A word is a run of the letters a to z, with apostrophes inside; case does not matter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

__all__ = ["Tokens", "tokenize"]

Numbers = np.ndarray[Any, np.dtype[Any]]

_OTHER, _CUT = -1, -2
_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)*|[.!?;:]")


@dataclass(frozen=True)
class Tokens:
    """Words of a text in their order; other words keep their place as -1."""

    ids: Numbers  # shape: (L,), int16: place in the list of words, or -1
    cuts: Numbers  # shape: (L,), bool: whether a cut lies just before the word


def tokenize(text: str, words: Sequence[str]) -> Tokens:
    """Number the words of a text by their place in a list; mark cuts at . ! ? ; :.

    Example:
        >>> tokens = tokenize("The cat, and THE dog. It's of us", ["and", "of", "the"])
        >>> tokens.ids.tolist()
        [2, -1, 0, 2, -1, -1, 1, -1]
        >>> tokens.cuts.nonzero()[0].tolist()
        [5]
    """
    place = {word: number for number, word in enumerate(words)}
    place |= dict.fromkeys(".!?;:", _CUT)
    found = _PATTERN.findall(
        text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    )
    numbers = map(place.get, found, repeat(_OTHER))
    every = np.fromiter(numbers, dtype=np.int16, count=len(found))
    is_word = every != _CUT
    clause = np.cumsum(~is_word)[is_word]
    cuts = np.diff(clause, prepend=0) > 0
    return Tokens(every[is_word], cuts)
