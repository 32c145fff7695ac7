"""Which texts and which words authorship is told by: the novels, or the user's own."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from vicinal.datasets import catalog, corpus, download, storage
from vicinal.datasets.corpus import Corpus
from vicinal.datasets.function_words import own_words, parse_words, read_words
from vicinal.datasets.texts import Text, read_texts

__all__ = ["checksum", "read", "word_list"]


def read(
    texts: str,
    words: str,
    folder: Path | None = None,
    on_text: Callable[[Text], None] = lambda text: None,
) -> Corpus:
    """All texts as numbers of words, from the cache or made now.

    Args:
        texts: A folder with ``AUTHOR/*.txt``; empty for the novels.
        words: Which words, see :func:`word_list`.
        folder: The user's folder of data sets.
        on_text: Called with each text that is read, for progress.
    """
    known = word_list(words, folder)
    return corpus.kept(
        corpus.key(_identity(texts), known),
        known,
        lambda: corpus.make_corpus(_given(texts, folder), known, on_text),
    )


def word_list(name: str, folder: Path | None = None) -> tuple[str, ...]:
    """The words that a setting means.

    Args:
        name: ``"paper"``, its 211 where they are here; ``"own"``, the library's list;
            or the path of a file.
        folder: The user's folder of data sets.

    Example:
        >>> len(word_list("own")) > 200
        True
    """
    if name == "own":
        return own_words()
    if name != "paper":
        return read_words(Path(name))
    data = catalog.entry("function-words")
    path = storage.find(data, data.files[0], folder)
    if path is None:
        return own_words()
    return parse_words(storage.read(path, data.files[0]), str(path))


def checksum(texts: str, words: str, folder: Path | None = None) -> str:
    """One SHA-256 of the texts and of the words, those of the user as well."""
    told = "\n".join(word_list(words, folder))
    return hashlib.sha256(f"{_identity(texts)}\n{told}".encode()).hexdigest()


def _given(texts: str, folder: Path | None) -> Iterator[Text]:
    return read_texts(Path(texts)) if texts else _novels(folder)


def _novels(folder: Path | None) -> Iterator[Text]:
    """Texts of the catalogue, checked one after the other."""
    files = sorted(file.name for file in catalog.entry("novels").files)

    def text(name: str) -> Text:
        author, title = name.removesuffix(".txt").split("/")
        return Text(author, title, download.content("novels", name, folder))

    return map(text, files)


def _identity(texts: str) -> str:
    """What tells texts apart: the catalogue's checksum, or titles and contents."""
    if not texts:
        return catalog.checksum("novels")
    given = list(read_texts(Path(texts)))
    told = [f"{text.author}/{text.title}".encode() for text in given]
    sums = [hashlib.sha256(text.content).digest() for text in given]
    return hashlib.sha256(b"\n".join(told) + b"".join(sums)).hexdigest()
