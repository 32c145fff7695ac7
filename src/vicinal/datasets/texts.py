"""A folder of plain texts: one folder for each author, one file for each book."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Text", "decode", "list_texts", "read_texts"]


@dataclass(frozen=True)
class Text:
    """One book."""

    author: str
    title: str
    content: bytes


def list_texts(folder: Path) -> list[Path]:
    """Paths of all texts ``AUTHOR/*.txt`` of a folder, by author and title."""
    paths = sorted(path for path in folder.glob("*/*.txt") if path.is_file())
    if not paths:
        raise ValueError(
            f"`texts` must be a folder that holds AUTHOR/*.txt, got {str(folder)!r} "
            "without any; put each author's books into a folder of their own"
        )
    return paths


def read_texts(folder: Path) -> Iterator[Text]:
    """All texts of a folder, one at a time."""
    for path in list_texts(folder):
        yield Text(path.parent.name, path.stem, path.read_bytes())


def decode(text: Text) -> str:
    r"""The text of a book; bytes that are no UTF-8 are told by file and offset.

    Example:
        >>> decode(Text("austen", "Emma", b"Emma Woodhouse"))
        'Emma Woodhouse'
    """
    try:
        return text.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{text.author}/{text.title}.txt: must be UTF-8, got byte "
            f"0x{text.content[error.start]:02x} at offset {error.start}; convert it"
        ) from None
