"""The text form of the LINQS citation networks: papers, and who cites whom."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

__all__ = ["Papers", "parse_cites", "parse_content"]

_ZERO, _TAB = ord("0"), ord("\t")


@dataclass(frozen=True)
class Papers:
    """Papers in the order of their file."""

    ids: list[str]
    words: Any  # scipy.sparse.csr_array (N, words) of zeros and ones
    subjects: list[str]


def parse_content(text: bytes) -> Papers:
    r"""Read lines of ``paper <tab> 0 <tab> 1 ... <tab> subject``.

    Example:
        >>> papers = parse_content(b"31336\t0\t1\tTheory\n1061127\t1\t1\tTheory\n")
        >>> papers.ids, papers.words.toarray().tolist()
        (['31336', '1061127'], [[0.0, 1.0], [1.0, 1.0]])
    """
    ids, rows, subjects = [], [], []
    for number, line in enumerate(text.splitlines(), 1):
        paper, _, rest = line.partition(b"\t")
        words, _, subject = rest.rpartition(b"\t")
        ids.append(paper.decode("ascii", "replace"))
        rows.append(_zeros_and_ones(words, number))
        subjects.append(subject.decode("ascii", "replace"))
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError(
            "`cora.content` must hold lines of equally many words, got "
            f"{sorted({len(row) for row in rows})}"
        )
    if len(set(ids)) != len(ids):
        raise ValueError("`cora.content` must name every paper once, got one twice")
    words_matrix = scipy.sparse.csr_array(np.stack(rows).astype(np.float64))
    return Papers(ids, words_matrix, subjects)


def parse_cites(text: bytes, papers: Papers) -> "np.typing.NDArray[np.int64]":
    r"""Read lines of ``cited <tab> citing`` into places of papers, ``(citations, 2)``.

    Example:
        >>> papers = parse_content(b"31336\t0\t1\tTheory\n1061127\t1\t1\tTheory\n")
        >>> parse_cites(b"1061127\t31336\n", papers).tolist()
        [[1, 0]]
    """
    place = {paper: number for number, paper in enumerate(papers.ids)}
    pairs = []
    for number, line in enumerate(text.decode("ascii", "replace").splitlines(), 1):
        named = line.split("\t")
        if len(named) != 2 or not all(paper in place for paper in named):
            raise ValueError(
                f"`cora.cites` must name two papers of cora.content per line, got "
                f"{line[:40]!r} in line {number}"
            )
        pairs.append([place[paper] for paper in named])
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _zeros_and_ones(words: bytes, number: int) -> "np.typing.NDArray[np.uint8]":
    letters = np.frombuffer(words, dtype=np.uint8)
    values = letters[::2] - _ZERO  # wraps around below zero, and is too large then
    if len(letters) % 2 == 0 or values.max() > 1 or (letters[1::2] != _TAB).any():
        raise ValueError(
            f"`cora.content` must hold zeros and ones between tabs, got other words "
            f"in line {number}"
        )
    return values
