"""What the paper printed: the table ``[published]`` of a file, checked."""

import math
from typing import Any

from vicinal.metrics import METRICS

__all__ = ["NUMBERS", "numbers", "require_published"]

NUMBERS = ("rows", "best_runs", "facts")  # lists of tables with a ``value``
_TEXTS = ("table", "best_table", "source", "spread")
_TABLES = ("samples", "means", "best")  # of movie ratings alone
_KEYS = (*NUMBERS, *_TABLES, *_TEXTS, "metric", "statements")


def require_published(published: dict[str, Any], where: str) -> None:
    """Refuse keys that nothing reads, and texts that are none.

    Args:
        published: The table.
        where: File and table, for the sentence about what is wrong.

    Example:
        >>> require_published({"metric": "accuracy", "table": "VII"}, "here")
    """
    if unknown := sorted(set(published) - set(_KEYS)):
        raise ValueError(
            f"{where}: `{unknown[0]}` must be one of the keys {sorted(_KEYS)}, got an "
            "unknown one; sentences of the paper stand in [published.statements]"
        )
    said = published.get("statements", {})
    if not isinstance(said, dict):
        raise ValueError(f"{where}: `statements` must be a table, got {said!r}")
    for name, text in [(n, published.get(n, "")) for n in _TEXTS] + [*said.items()]:
        if not isinstance(text, str):
            raise ValueError(f"{where}: `{name}` must be a text, got {text!r}")
    if (metric := published.get("metric", "accuracy")) not in METRICS:
        raise ValueError(
            f"{where}: `metric` must be one of {sorted(METRICS)}, got {metric!r}"
        )


def numbers(published: dict[str, Any], kind: str, where: str) -> list[dict[str, Any]]:
    """A list of tables that hold a number each, as ``value``.

    Args:
        published: The table.
        kind: One of ``NUMBERS``; of ``facts`` each names its ``fact``.
        where: File and table, for the sentence about what is wrong.
    """
    given = published.get(kind, [])
    whole = isinstance(given, list) and all(map(_has_number, given))
    if not whole:
        raise ValueError(
            f"{where}: `{kind}` must list tables with a number as `value`, "
            f"got {given!r}"
        )
    for entry in given if kind == "facts" else []:
        if not isinstance(entry.get("fact"), str):
            raise ValueError(f"{where}: `fact` must be a text, got {entry!r}")
    return list(given)


def _has_number(entry: Any) -> bool:
    number = entry.get("value") if isinstance(entry, dict) else None
    if isinstance(number, bool):
        return False
    return isinstance(number, int | float) and math.isfinite(number)
