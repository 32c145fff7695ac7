"""What came out of one cell, and how a row from elsewhere is checked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["COLUMNS", "LAST", "Key", "Row", "checked_row", "rounded_curves"]
__all__ += ["settings_hash"]

Key = tuple[str, int, str, int]  # configuration hash, seed, checksum of data, version

LAST = 5  # epochs whose mean is the headline: a single one carries noise
_DIGITS = 5  # of numbers in curves
_LARGEST = 2**63 - 1  # whole number that a store can hold


def settings_hash(settings: dict[str, Any]) -> str:
    """SHA-256 of what is set, 16 digits.

    Example:
        >>> settings_hash({"task": "citations"})
        '7c274004f5d88b1b'
    """
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Row:
    """What came out of one cell.

    ``settings`` is what was set otherwise than by default; ``result`` holds scores,
    curves, parameter counts, seconds, versions and the machine.
    """

    config_hash: str
    seed: int
    data: str  # checksum of the files used, "" for generated data
    version: int  # of the meaning of results
    settings: dict[str, Any]
    result: dict[str, Any]

    @property
    def scores(self) -> dict[str, dict[str, float]]:
        """Test scores by metric, the one compared first, and by kind."""
        found: dict[str, dict[str, float]] = self.result["scores"]
        return found

    @property
    def key(self) -> Key:
        """What makes a row the same row."""
        return self.config_hash, self.seed, self.data, self.version


def rounded_curves(curves: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Curves as rows hold them.

    Example:
        >>> rounded_curves({"train_loss": [0.1234567, 2.0]})
        {'train_loss': [0.12346, 2.0]}
    """
    return {
        name: [float(f"{value:.{_DIGITS}g}") for value in curve]
        for name, curve in curves.items()
    }


COLUMNS: dict[str, type] = {
    "config_hash": str,
    "seed": int,
    "data": str,
    "version": int,
    "settings": dict,
    "result": dict,
}


_RESULT: dict[str, type] = {  # of every result, besides scores
    "curves": dict,
    "parameters": dict,
    "hop_weights": list,
    "seconds": float,
    "data_facts": dict,
}


def checked_row(entry: Any, where: str) -> Row:
    """A row made of what stands in a file or a store, if it is one.

    Args:
        entry: Its columns by name.
        where: File and place, for the sentence about what is wrong.
    """
    if not isinstance(entry, dict) or set(entry) != set(COLUMNS):
        got = list(entry) if isinstance(entry, dict) else type(entry).__name__
        raise ValueError(f"{where} must have the columns {list(COLUMNS)}, got {got}")
    for name, kind in COLUMNS.items():
        _require_kind(name, entry[name], kind, where)
    row = Row(**entry)
    if settings_hash(row.settings) != row.config_hash:
        raise ValueError(
            f"{where}: `config_hash` must be that of its settings, got "
            f"{row.config_hash!r}; was it edited?"
        )
    if not isinstance(row.settings.get("task"), str):
        raise ValueError(f"{where}: `settings` must name a `task`, got none")
    if not _is_scored(row):
        raise ValueError(
            f"{where}: `result` must hold scores, each with a number as `last_mean`, "
            f"got {str(row.result.get('scores'))[:40]!r}"
        )
    for name, kind in _RESULT.items():
        _require_kind(f"result.{name}", row.result.get(name), kind, where)
    return row


def _require_kind(name: str, value: Any, kind: type, where: str) -> None:
    fits = isinstance(value, kind) and not isinstance(value, bool)
    if not fits or (kind is int and not 0 <= value <= _LARGEST):
        told = "a whole number from 0 to 2^63 - 1" if kind is int else kind.__name__
        raise ValueError(f"{where}: `{name}` must be {told}, got {str(value)[:40]!r}")


def _is_scored(row: Row) -> bool:
    scores = row.result.get("scores")
    return (
        isinstance(scores, dict)
        and bool(scores)
        and all(map(_is_score, scores.values()))
    )


def _is_score(score: Any) -> bool:
    return (
        isinstance(score, dict)
        and "last_mean" in score
        and all(type(value) in (int, float) for value in score.values())
    )
