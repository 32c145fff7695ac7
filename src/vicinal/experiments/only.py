"""Cells, rows and configurations of the given settings: what ``--only`` means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vicinal.experiments.cell import Cell

__all__ = ["agrees", "pick", "select"]


def select(cells: Iterable[Cell], only: Mapping[str, Any]) -> list[Cell]:
    """The cells whose settings are the given ones (``--only``)."""
    return pick([(cell, cell.settings | {"seed": cell.seed}) for cell in cells], only)


def pick(
    given: Sequence[tuple[Any, Mapping[str, Any]]], only: Mapping[str, Any]
) -> list[Any]:
    """What has the given settings, of things and their settings.

    A thing without such a setting is left out; a setting that none has is refused.
    """
    known = {name for _, settings in given for name in settings}
    if given and (unknown := set(only) - known):
        raise ValueError(
            f"`--only` must name settings of the cells, got "
            f"{sorted(unknown)[0]!r}; known: {sorted(known)}"
        )
    return [one for one, settings in given if agrees(settings, only)]


def agrees(settings: Mapping[str, Any], only: Mapping[str, Any]) -> bool:
    """Whether settings are the given ones, numbers by their value.

    Example:
        >>> agrees({"share": 0.1, "size": 5.0, "graph": "grid"}, {"size": 5})
        True
        >>> agrees({"share": 0.1}, {"size": 5})
        False
    """
    return all(n in settings and _same(settings[n], v) for n, v in only.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other) or str(one) == str(other)
