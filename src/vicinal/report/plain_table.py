"""A table that is texts only: what has columns of its own."""

from dataclasses import dataclass

__all__ = ["PlainTable"]


@dataclass(frozen=True)
class PlainTable:
    """A table as it is printed."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
