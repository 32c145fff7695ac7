"""Rows as CSV inside the page: every number can be traced."""

import base64
import csv
import io
import json
from typing import Any

from vicinal.experiments.row import Row

__all__ = ["csv_text", "data_uri"]

_KEY = ("config_hash", "seed", "data", "version")
_RESULT = ("library", "torch", "kernels", "machine")


def csv_text(rows: list[Row]) -> str:
    """One line for each row: key, settings but for defaults, scores, seconds.

    Versions and machines are columns where the rows do not share them.

    Example:
        >>> scores = {"accuracy": {"last": 0.5}}
        >>> row = Row("ab", 0, "", 1, {"task": "t"}, {"scores": scores, "seconds": 2.0})
        >>> print(csv_text([row]).splitlines()[1])
        ab,0,,1,t,0.5,2.0
    """
    settings = sorted({name for row in rows for name in row.settings})
    told = [name for name in _RESULT if _varies(rows, name)]
    scores = sorted({name for row in rows for name in _scores(row)})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_KEY, *settings, *scores, "seconds", *told])
    for row in rows:
        found = _scores(row)
        writer.writerow(
            [*row.key]
            + [_plain(row.settings.get(name, "")) for name in settings]
            + [found.get(name, "") for name in scores]
            + [row.result.get(name, "") for name in ("seconds", *told)]
        )
    return text.getvalue()


def data_uri(text: str) -> str:
    """Text as the address of a link that downloads it."""
    coded = base64.b64encode(text.encode()).decode()
    return f"data:text/csv;charset=utf-8;base64,{coded}"


def _varies(rows: list[Row], name: str) -> bool:
    return len({str(row.result.get(name)) for row in rows}) > 1


def _scores(row: Row) -> dict[str, Any]:
    return {
        f"{metric} {which}": score
        for metric, kinds in row.scores.items()
        for which, score in kinds.items()
    }


def _plain(given: Any) -> str:
    """A setting as ``--only`` takes it; text that looks like a formula is quoted."""
    if not isinstance(given, str):
        return json.dumps(given)
    return f"'{given}" if given[:1] in ("=", "+", "-", "@") else given
