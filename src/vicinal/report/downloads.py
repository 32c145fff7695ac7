"""Rows as CSV inside the page: every number can be traced."""

import base64
import csv
import io
import json
from typing import Any

from vicinal.experiments.cell import make_cell
from vicinal.experiments.row import Row

__all__ = ["csv_text", "data_uri"]

_KEY = ("config_hash", "seed", "data", "version")
_TIMES = ("seconds", "predict_seconds")
_RESULT = ("library", "torch", "kernels", "machine")


def csv_text(rows: list[Row], losses: bool = False) -> str:
    """One line for each row: key, settings that any row changes, all single numbers.

    These are scores, also of single targets, hop weights, numbers of parameters, facts
    of the data and seconds. Versions and machines are columns where the rows do not
    share them.

    Args:
        rows: Of one table or figure.
        losses: Whether the losses after every epoch are columns too.

    Example:
        >>> scores = {"accuracy": {"last": 0.5}}
        >>> row = Row("ab", 0, "", 1, {"task": "t"}, {"scores": scores, "seconds": 2.0})
        >>> print(csv_text([row]).splitlines()[1])
        ab,0,,1,t,0.5,2.0
    """
    settings = sorted({name for row in rows for name in row.settings})
    told = [name for name in _RESULT if _varies(rows, name)]
    measured = [_measured(row) | (_losses(row) if losses else {}) for row in rows]
    names = list(dict.fromkeys(name for one in measured for name in one))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_KEY, *map(_safe, (*settings, *names)), *told])
    known = [_with_defaults(row) for row in rows]
    for row, one, found in zip(rows, known, measured, strict=True):
        writer.writerow(
            [row.config_hash, row.seed, _safe(row.data), row.version]
            + [_given(one.get(name, "")) for name in settings]
            + [found.get(name, "") for name in names]
            + [_safe(row.result.get(name, "")) for name in told]
        )
    return text.getvalue()


def _with_defaults(row: Row) -> dict[str, Any]:
    """All settings of a row; of another version's only those it tells."""
    try:
        return make_cell(row.settings, row.seed, "row").settings
    except ValueError:
        return row.settings


def _losses(row: Row) -> dict[str, Any]:
    return {
        f"{name} of epoch {epoch}": loss
        for name in ("train_loss", "valid_loss")
        for epoch, loss in enumerate(row.result["curves"].get(name, []), 1)
    }


def data_uri(text: str) -> str:
    """Text as the address of a link that downloads it."""
    coded = base64.b64encode(text.encode()).decode()
    return f"data:text/csv;charset=utf-8;base64,{coded}"


def _varies(rows: list[Row], name: str) -> bool:
    return len({str(row.result.get(name)) for row in rows}) > 1


def _measured(row: Row) -> dict[str, Any]:
    """All single numbers of a row, by name."""
    scores = {
        f"{metric} {which}": score
        for metric, kinds in row.scores.items()
        for which, score in kinds.items()
    }
    metric = next(iter(row.scores))
    nested = {
        f"{metric} of target": row.result.get("parts", {}),
        "hop weight": dict(enumerate(*row.result.get("hop_weights", [])[:1] or [[]])),
        "parameters": row.result.get("parameters", {}),
        "data": row.result.get("data_facts", {}),
    }
    beside = {
        f"{group}: {name}": number
        for group, numbers in nested.items()
        for name, number in numbers.items()
    }
    timed = {name: row.result[name] for name in _TIMES if name in row.result}
    return scores | beside | timed


def _given(setting: Any) -> str:
    """A setting as ``--only`` takes it."""
    return _safe(setting) if isinstance(setting, str) else json.dumps(setting)


def _safe(text: str) -> str:
    """Text that a spreadsheet would take for a formula is quoted."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
