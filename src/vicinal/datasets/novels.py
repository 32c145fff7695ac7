"""The novels of the authorship experiment: what each text is, how it is made again.

The manifest names for each text its Gutenberg number, a copy of the publisher's file
that is pinned by a commit, and the SHA-256 of what the experiment reads. No text comes
with the library. A text is the publisher's file without its front and back matter: the
manifest lists the blocks of lines to keep, each by a hash of its first line and the
number of its lines. The checksum of the result decides whether it came out right.
"""

import csv
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["Block", "Novel", "novels", "restore"]


@dataclass(frozen=True)
class Block:
    """Lines that are kept, and how many line ends follow them."""

    first: str  # first digits of the SHA-256 of the first line
    lines: int
    ends: int


@dataclass(frozen=True)
class Novel:
    """One text of the manifest."""

    file: str  # AUTHOR/TITLE.txt
    gutenberg: int
    words: int
    size: int  # bytes
    sha256: str
    address: str
    encoding: str
    blocks: tuple[Block, ...]


@cache
def novels() -> tuple[Novel, ...]:
    """All texts of the manifest.

    Example:
        >>> len(novels()), novels()[0].file
        (121, 'austen/Emma.txt')
    """
    manifest = resources.files("vicinal.datasets") / "novels.csv"
    return tuple(map(_novel, csv.DictReader(manifest.read_text("utf-8").splitlines())))


def restore(raw: bytes, novel: Novel) -> bytes:
    r"""Keep the blocks of a publisher's file that make up the text.

    Args:
        raw: The publisher's file.
        novel: What to keep of it, and the SHA-256 of the result.

    Example:
        >>> first = hashlib.sha256(b"Emma").hexdigest()[:8]
        >>> blocks = (Block(first, 3, 1),)
        >>> sha = hashlib.sha256(b"Emma\n\nEND\n").hexdigest()
        >>> novel = Novel("a/E.txt", 1, 2, 10, sha, "", "utf-8", blocks)
        >>> restore(b"Licence\r\n\r\nEmma\r\n\r\n\r\nEND\r\nLicence\r\n", novel)
        b'Emma\n\nEND\n'
    """
    text = re.sub(r"\r\n?", "\n", raw.decode(novel.encoding, "replace"))
    for blank in (r"\n{3,}", r"\n(?:[ \t]*\n){2,}"):  # one blank line for several
        lines = re.sub(blank, "\n\n", text.lstrip("\ufeff")).split("\n")
        for start in _places(lines, novel.blocks[0], 0):
            made = _kept(lines, novel.blocks, start).encode()
            if hashlib.sha256(made).hexdigest() == novel.sha256:
                return made
    raise ValueError(
        f"{novel.address}: must give the text {novel.file} with SHA-256 "
        f"{novel.sha256[:12]}..., got other lines; the publisher has edited it"
    )


def _kept(lines: list[str], blocks: tuple[Block, ...], start: int) -> str:
    """Blocks from a first line on, each at the next place that begins like it."""
    parts, place = [], start
    for block in blocks:
        place = next(iter(_places(lines, block, place)), place)
        parts += ["\n".join(lines[place : place + block.lines]), "\n" * block.ends]
        place += block.lines
    return "".join(parts)


def _places(lines: list[str], block: Block, after: int) -> list[int]:
    return [
        place
        for place in range(after, len(lines))
        if hashlib.sha256(lines[place].encode()).hexdigest().startswith(block.first)
    ]


def _novel(row: dict[str, str]) -> Novel:
    place = f"{row['source']}/{row['commit']}/{row['path']}"
    return Novel(
        file=row["file"],
        gutenberg=int(row["gutenberg"]),
        words=int(row["words"]),
        size=int(row["bytes"]),
        sha256=row["sha256"],
        address=f"https://raw.githubusercontent.com/{place}",
        encoding=row["encoding"],
        blocks=tuple(map(_block, row["blocks"].split())),
    )


def _block(text: str) -> Block:
    first, lines, ends = text.split(":")
    return Block(first, int(lines), int(ends))
