"""All texts as numbers of words: made once, kept in the cache, read in a moment.

What is kept are places in a list of words and cuts, 2.1 bytes a word. Excerpts, counts
and networks are made of these, whatever their settings.
"""

import hashlib
import io
import logging
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vicinal.datasets import storage
from vicinal.datasets.texts import Text, decode
from vicinal.datasets.tokens import Numbers, Tokens, tokenize
from vicinal.files import write

__all__ = ["Corpus", "kept", "key", "make_corpus"]

_VERSION = 1  # raise it whenever the same texts would give other numbers
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Corpus:
    """Books one after the other: whose they are, where they begin, what they hold."""

    words: tuple[str, ...]
    authors: tuple[str, ...]  # of each book
    titles: tuple[str, ...]
    starts: Numbers  # shape: (books + 1,), int64: places of first words
    ids: Numbers  # shape: (L,), int16
    cuts: Numbers  # shape: (L,), bool


def make_corpus(
    texts: Iterable[Text],
    words: Sequence[str],
    on_text: Callable[[Text], None] = lambda text: None,
) -> Corpus:
    """Number the words of all texts.

    Args:
        texts: Books, sorted by author.
        words: The list of words.
        on_text: Called with each book that is done, for progress.

    Example:
        >>> books = [Text("a", "One", b"the cat. the"), Text("b", "Two", b"of it")]
        >>> corpus = make_corpus(books, ["of", "the"])
        >>> corpus.ids.tolist(), corpus.starts.tolist()
        ([1, -1, 1, 0, -1], [0, 3, 5])
    """
    authors, titles, parts = [], [], []
    for text in texts:
        parts.append(tokenize(decode(text), words))
        authors.append(text.author)
        titles.append(text.title)
        on_text(text)
    lengths = [len(part.ids) for part in parts]
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    none = Tokens(np.empty(0, np.int16), np.empty(0, bool))
    ids = np.concatenate([part.ids for part in [none, *parts]])
    cuts = np.concatenate([part.cuts for part in [none, *parts]])
    return Corpus(tuple(words), tuple(authors), tuple(titles), starts, ids, cuts)


def key(texts: str, words: Sequence[str]) -> str:
    """Name of the numbers that a checksum of texts and a list of words give."""
    told = "\n".join([str(_VERSION), texts, *words])
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def kept(name: str, words: Sequence[str], make: Callable[[], Corpus]) -> Corpus:
    """Numbers from the cache; where it has none, or broken ones, they are made.

    Args:
        name: From :func:`key`.
        words: The list of words.
        make: Makes the numbers.
    """
    path = storage.cache_folder("tokens") / f"{name}.npz"
    found = _read(path, tuple(words))
    if found is not None:
        return found
    _LOG.info("numbering the words of all texts; kept in %s", path)
    corpus = make()
    try:
        write(path, _packed(corpus))
    except OSError as error:
        _LOG.warning("the numbers of words are not kept: %s", error)
    return corpus


def _packed(corpus: Corpus) -> bytes:
    content = io.BytesIO()
    np.savez(
        content,
        authors=np.array(corpus.authors, dtype=str),
        titles=np.array(corpus.titles, dtype=str),
        starts=corpus.starts,
        ids=corpus.ids,
        cuts=np.packbits(corpus.cuts),
    )
    return content.getvalue()


def _read(path: Path, words: tuple[str, ...]) -> Corpus | None:
    try:
        with np.load(path, allow_pickle=False) as given:
            held: dict[str, Any] = {name: given[name] for name in given.files}
        cuts = np.unpackbits(held["cuts"], count=len(held["ids"])).astype(bool)
        authors, titles = (tuple(map(str, held[n])) for n in ("authors", "titles"))
        corpus = Corpus(words, authors, titles, held["starts"], held["ids"], cuts)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return corpus if len(corpus.starts) == len(authors) + 1 else None
