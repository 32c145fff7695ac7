"""What came out of one cell."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["COLUMNS", "LAST", "Key", "Row", "rounded_curves", "settings_hash"]

Key = tuple[str, int, str, int]  # configuration hash, seed, checksum of data, version

LAST = 5  # epochs whose mean is the headline: a single one carries noise
_DIGITS = 5  # of numbers in curves


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
