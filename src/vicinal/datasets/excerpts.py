"""Books to excerpts of equally many words, and to the counts of words in each."""

from dataclasses import dataclass

import numpy as np

from vicinal.datasets.corpus import Corpus
from vicinal.datasets.tokens import Numbers

__all__ = ["Excerpts", "counts", "cut_excerpts"]


@dataclass(frozen=True)
class Excerpts:
    """Excerpts in the order of the books; what is left of a book's end is dropped."""

    author: Numbers  # shape: (E,), place in ``names``
    book: Numbers  # shape: (E,), number of the book
    start: Numbers  # shape: (E,), place of its first word
    length: int
    names: tuple[str, ...]  # authors, sorted
    corpus: Corpus

    def words(self, chosen: Numbers) -> Numbers:  # shape: (n, length), int16
        """Numbers of the words of some excerpts."""
        return self.corpus.ids[self._places(chosen)]

    def cuts(self, chosen: Numbers) -> Numbers:  # shape: (n, length), bool
        """Cuts before the words of some excerpts."""
        return self.corpus.cuts[self._places(chosen)]

    def of(self, author: str) -> Numbers:  # shape: (n,)
        """Places of an author's excerpts."""
        return np.flatnonzero(self.author == self.names.index(author))

    def _places(self, chosen: Numbers) -> Numbers:
        return self.start[chosen, None] + np.arange(self.length)


def cut_excerpts(corpus: Corpus, length: int) -> Excerpts:
    """Cut every book into excerpts; none reaches over the end of a book.

    Args:
        corpus: The books.
        length: Words of an excerpt.

    Example:
        >>> from vicinal.datasets.corpus import make_corpus
        >>> from vicinal.datasets.texts import Text
        >>> books = [Text("a", "One", b"the cat of a the"), Text("b", "Two", b"of it")]
        >>> excerpts = cut_excerpts(make_corpus(books, ["of", "the"]), 2)
        >>> excerpts.start.tolist(), excerpts.author.tolist()
        ([0, 2, 5], [0, 0, 1])
    """
    names = tuple(sorted(set(corpus.authors)))
    whole = np.diff(corpus.starts) // length  # excerpts of each book
    book = np.repeat(np.arange(len(whole)), whole)
    within = np.arange(len(book)) - np.repeat(np.cumsum(whole) - whole, whole)
    writer = np.array([names.index(name) for name in corpus.authors], dtype=np.int64)
    for name in names:
        own = np.array([name == other for other in corpus.authors])
        if not whole[own].sum():
            raise ValueError(
                f"`excerpt` must be at most the words of a book of {name!r}, got "
                f"{length} and {int(np.diff(corpus.starts)[own].max())} words; take "
                "shorter excerpts or another author"
            )
    start = corpus.starts[book] + length * within
    return Excerpts(writer[book], book, start, length, names, corpus)


def counts(words: Numbers, num_words: int) -> Numbers:  # shape: (n, N), int64
    """How often each word of the list stands in each excerpt.

    Args:
        words: Numbers of words, ``(n, length)``; those below 0 are no words.
        num_words: Length N of the list.

    Example:
        >>> counts(np.array([[0, 2, -1, 2]]), 3).tolist()
        [[1, 0, 2]]
    """
    rows = np.repeat(np.arange(len(words)), words.shape[1])
    flat = words.reshape(-1).astype(np.int64)
    known = flat >= 0
    places = rows[known] * num_words + flat[known]
    total = np.bincount(places, minlength=len(words) * num_words)
    return total.reshape(len(words), num_words)
