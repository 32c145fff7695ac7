"""Rows as JSON or CSV files, to move them between machines and into the repository."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vicinal.experiments.store import Row

__all__ = ["read_rows", "write_rows", "write_text"]

_COLUMNS: dict[str, type] = {
    "config_hash": str,
    "seed": int,
    "data": str,
    "version": int,
    "settings": dict,
    "result": dict,
}


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows to a ``.json`` or ``.csv`` file, ordered by key, one a line."""
    ordered = sorted(rows, key=lambda row: row.key)
    if path.suffix == ".json":
        lines = ",\n".join(json.dumps(vars(row), sort_keys=True) for row in ordered)
        write_text(path, f"[\n{lines}\n]\n" if lines else "[]\n")
    elif path.suffix == ".csv":
        write_text(path, _csv(ordered))
    else:
        raise ValueError(f"`path` must end in .json or .csv, got {path.name!r}")


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a ``.json`` or ``.csv`` file, or of all those in a folder."""
    if path.is_dir():
        files = sorted([*path.glob("*.json"), *path.glob("*.csv")])
        return [row for file in files for row in read_rows(file)]
    if path.suffix not in (".json", ".csv"):
        raise ValueError(f"`path` must end in .json or .csv, got {path.name!r}")
    text = path.read_text(encoding="utf-8")
    try:
        given = json.loads(text) if path.suffix == ".json" else _from_csv(text)
    except (json.JSONDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must hold exported rows, got {error}") from None
    if not isinstance(given, list):
        raise ValueError(f"{path} must hold a list of rows, got {type(given).__name__}")
    return [_row(entry, f"{path}, row {place}") for place, entry in enumerate(given, 1)]


def write_text(path: Path, text: str) -> None:
    """Write a file aside and rename it, so that it is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(aside, 0o644)
        os.replace(aside, path)
    except BaseException:
        os.unlink(aside)
        raise


def _row(entry: Any, where: str) -> Row:
    if not isinstance(entry, dict) or set(entry) != set(_COLUMNS):
        raise ValueError(f"{where} must have the columns {list(_COLUMNS)}, got others")
    for name, kind in _COLUMNS.items():
        if not isinstance(entry[name], kind) or isinstance(entry[name], bool):
            raise ValueError(
                f"{where}: `{name}` must be {kind.__name__}, got {entry[name]!r}"
            )
    return Row(**entry)


def _csv(rows: list[Row]) -> str:
    """The columns of a row, its first score for people, and the rest as JSON."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*_COLUMNS, "metric", "last_mean", "last", "best"])
    for row in rows:
        metric = next(iter(row.result["scores"]))
        score = row.result["scores"][metric]
        scores = [score.get(name, "") for name in ("last_mean", "last", "best")]
        structured = [json.dumps(row.settings), json.dumps(row.result)]
        writer.writerow([*row.key, *structured, metric, *scores])
    return text.getvalue()


def _from_csv(text: str) -> list[dict[str, Any]]:
    rows = []
    for line in csv.DictReader(io.StringIO(text)):
        given: dict[str, Any] = {name: line.get(name) for name in _COLUMNS}
        for name, kind in _COLUMNS.items():
            if kind is not str and given[name] is not None:
                given[name] = json.loads(given[name])
        rows.append(given)
    return rows
