"""Word adjacency networks: which function words follow which, and how closely.

S. Segarra, M. Eisen, A. Ribeiro: Authorship attribution through function word adjacency
networks. IEEE Transactions on Signal Processing 63(20), 2015.
"""

from dataclasses import dataclass

import numpy as np

from vicinal.datasets.tokens import Numbers

__all__ = ["Window", "adjacency", "normalized"]

_CHUNK = 256  # excerpts at a time


@dataclass(frozen=True)
class Window:
    """How far a word sees, and how much what is farther off counts."""

    reach: int = 10
    discount: float = 0.75  # 1 counts all alike
    cuts: bool = True  # whether the end of a clause ends the window


def adjacency(
    words: Numbers,  # shape: (n, L)
    cuts: Numbers,  # shape: (n, L)
    num_words: int,
    window: Window,
) -> Numbers:  # shape: (N, N)
    r"""Discounted counts of ordered pairs, summed over excerpts.

    .. math:: Q_{ij} = \sum_e \sum_{d=1}^{D} \alpha^{d-1}
        \, 1[w_e = i] \, 1[w_{e+d} = j]

    over pairs of places :math:`e, e + d` of one excerpt with no cut between them. Other
    words are not counted, but take their place.

    Args:
        words: Numbers of words of each excerpt; those below 0 are others.
        cuts: Whether a cut lies just before a word.
        num_words: Number N of words of the list.
        window: Reach D, discount :math:`\alpha`, whether cuts count.

    Example:
        >>> words, cuts = np.array([[0, -1, 1, 0]]), np.array([[0, 0, 0, 1]], bool)
        >>> adjacency(words, cuts, 2, Window(discount=0.5)).tolist()
        [[0.0, 0.5], [0.0, 0.0]]
        >>> adjacency(words, cuts, 2, Window(discount=0.5, cuts=False)).tolist()
        [[0.25, 0.5], [1.0, 0.0]]
    """
    total = np.zeros(num_words * num_words)
    for first in range(0, len(words), _CHUNK):
        part = slice(first, first + _CHUNK)
        ids = words[part].astype(np.int32)
        clause = np.cumsum(cuts[part], axis=1, dtype=np.int32)
        for distance in range(1, min(window.reach, words.shape[1] - 1) + 1):
            before, after = ids[:, :-distance], ids[:, distance:]
            joined = (before >= 0) & (after >= 0)
            if window.cuts:
                joined &= clause[:, :-distance] == clause[:, distance:]
            pairs = before[joined] * num_words + after[joined]
            found = np.bincount(pairs, minlength=num_words * num_words)
            total += window.discount ** (distance - 1) * found
    return total.reshape(num_words, num_words)


def normalized(pairs: Numbers) -> Numbers:  # shape: (..., N, N)
    r"""Rows that sum to 1, as of a Markov chain; zero rows stay zero.

    .. math:: W_{ij} = Q_{ij} / \sum_k Q_{ik}

    Example:
        >>> normalized(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
        [[0.25, 0.75], [0.0, 0.0]]
    """
    total = pairs.sum(axis=-1, keepdims=True)
    rows: Numbers = np.zeros_like(pairs)
    np.divide(pairs, total, out=rows, where=total > 0)
    return rows
