"""Rows from elsewhere: every part of one that a page reads must have its form."""

import math
from collections.abc import Callable
from typing import Any

from vicinal.experiments.row import COLUMNS, Row, settings_hash

__all__ = ["checked_row"]

_LARGEST = 2**63 - 1  # whole number that a store can hold

Check = Callable[[Any], bool]


def _is_text(given: Any) -> bool:
    return isinstance(given, str)


def _is_number(given: Any) -> bool:
    return type(given) is float or (type(given) is int and abs(given) <= _LARGEST)


def _is_finite(given: Any) -> bool:
    return _is_number(given) and math.isfinite(given)


def _is_count(given: Any) -> bool:
    return type(given) is int and 0 <= given <= _LARGEST


def _is_table(given: Any) -> bool:
    return isinstance(given, dict)


def _table_of(holds: Check) -> Check:
    return lambda given: isinstance(given, dict) and all(map(holds, given.values()))


def _list_of(holds: Check) -> Check:
    return lambda given: isinstance(given, list) and all(map(holds, given))


def _is_score(given: Any) -> bool:
    return _table_of(_is_number)(given) and "last_mean" in given


def _is_network(given: Any) -> bool:
    """Words, how often each occurs, and a square of weights."""
    parts = {
        "words": _list_of(_is_text),
        "weights": _list_of(_list_of(_is_finite)),
        "frequency": _list_of(_is_finite),
    }
    return (
        isinstance(given, dict)
        and given.keys() == parts.keys()
        and all(fits(given[name]) for name, fits in parts.items())
        and bool(given["words"])
        and len({*map(len, given.values()), *map(len, given["weights"])}) == 1
    )


_COUNT = ("a whole number from 0 to 2^63 - 1", _is_count)
_NUMBER = ("a number", _is_number)
_NUMBERS = ("a table of numbers", _table_of(_is_number))
_TABLE = ("a table", _is_table)
_TEXT = ("a text", _is_text)

_BY_TYPE: dict[type, tuple[str, Check]] = {str: _TEXT, int: _COUNT, dict: _TABLE}
_RESULT: dict[str, tuple[str, Check]] = {
    "curves": ("a table of lists of numbers", _table_of(_list_of(_is_number))),
    "parameters": ("a table of whole numbers", _table_of(_is_count)),
    "hop_weights": ("a list of lists of numbers", _list_of(_list_of(_is_number))),
    "seconds": _NUMBER,
    "data_facts": _NUMBERS,
}
_OPTIONAL: dict[str, tuple[str, Check]] = {
    "load_seconds": _NUMBER,
    "predict_seconds": _NUMBER,
    "parts": _NUMBERS,
    "network": ("words, frequencies and a square of weights", _is_network),
    "library": _TEXT,
    "torch": _TEXT,
    "kernels": _TEXT,
    "machine": _TEXT,
}


def checked_row(entry: Any, where: str) -> Row:
    """A row made of what stands in a file or a store, if it is one.

    Args:
        entry: Its columns by name.
        where: File and place, for the sentence about what is wrong.
    """
    if not isinstance(entry, dict) or set(entry) != set(COLUMNS):
        got = list(entry) if isinstance(entry, dict) else str(entry)[:40]
        raise ValueError(f"{where} must have the columns {list(COLUMNS)}, got {got}")
    for name, kind in COLUMNS.items():
        _require(name, entry[name], _BY_TYPE[kind], where)
    row = Row(**entry)
    if settings_hash(row.settings) != row.config_hash:
        raise ValueError(
            f"{where}: `config_hash` must be that of its settings, got "
            f"{row.config_hash!r}; was it edited?"
        )
    if not isinstance(row.settings.get("task"), str):
        raise ValueError(f"{where}: `settings` must name a `task`, got none")
    _require_result(row.result, where)
    return row


def _require_result(result: dict[str, Any], where: str) -> None:
    scores = result.get("scores")
    if not scores or not _table_of(_is_score)(scores):
        raise ValueError(
            f"{where}: `result` must hold scores, each with a number as `last_mean`, "
            f"got {str(scores)[:40]!r}"
        )
    given = {name: rule for name, rule in _OPTIONAL.items() if name in result}
    for name, rule in (_RESULT | given).items():
        _require(f"result.{name}", result.get(name), rule, where)


def _require(name: str, value: Any, rule: tuple[str, Check], where: str) -> None:
    told, fits = rule
    if not fits(value):
        raise ValueError(f"{where}: `{name}` must be {told}, got {str(value)[:40]!r}")
