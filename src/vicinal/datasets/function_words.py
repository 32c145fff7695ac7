"""Lists of function words: the one that comes with the library, or one of a file."""

import re
from functools import cache
from importlib import resources
from pathlib import Path

__all__ = ["own_words", "parse_words", "read_words"]

_MOST = 30_000  # numbers of words fit into 16 bits
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


@cache
def own_words() -> tuple[str, ...]:
    """English function words, in alphabetical order.

    Example:
        >>> own_words()[:3]
        ('a', 'aboard', 'about')
    """
    file = resources.files("vicinal.datasets") / "function_words.txt"
    return parse_words(file.read_bytes(), "function_words.txt")


def read_words(path: Path) -> tuple[str, ...]:
    """Words of a file, one a line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(
            f"`words` must be 'paper', 'own' or the path of a list of words, got "
            f"{str(path)!r}: {error.strerror}"
        ) from None
    return parse_words(content, str(path))


def parse_words(content: bytes, name: str) -> tuple[str, ...]:
    r"""Read words, one a line; blank lines are passed over, capitals made small.

    Args:
        content: Of the file.
        name: Of the file, for the sentence about what is wrong.

    Example:
        >>> parse_words(b"The\nof\n", "here")
        ('the', 'of')
    """
    try:
        text = content.decode("utf-8-sig")  # editors may write a mark before it
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name}: must be UTF-8, got other bytes at {error.start}; convert it"
        ) from None
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    seen: dict[str, int] = {}
    for number, line in enumerate(plain.splitlines(), 1):
        word = line.strip()
        if not word:
            continue
        if not _WORD.fullmatch(word):
            raise ValueError(
                f"{name}: must hold one word a line, of letters a to z and apostrophes "
                f"inside, got {word[:40]!r} in line {number}; split it or drop it"
            )
        if word in seen:
            raise ValueError(
                f"{name}: must name each word once, got {word!r} in lines {seen[word]} "
                f"and {number}; drop one"
            )
        seen[word] = number
    if not 2 <= len(seen) <= _MOST:
        raise ValueError(
            f"{name}: must hold 2 to {_MOST} words, got {len(seen)}; a line is a word"
        )
    return tuple(seen)
