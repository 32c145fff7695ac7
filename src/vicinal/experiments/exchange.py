"""Rows as JSON or CSV files, to move them between machines and into the repository."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vicinal.experiments.store import Row, settings_hash
from vicinal.files import write

__all__ = ["read_rows", "write_rows"]

_KINDS = (".json", ".json.gz", ".csv")
_COLUMNS: dict[str, type] = {
    "config_hash": str,
    "seed": int,
    "data": str,
    "version": int,
    "settings": dict,
    "result": dict,
}


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows, ordered by key, to a ``.json``, ``.json.gz`` or ``.csv`` file.

    Names within a row keep their order: the first of the scores is the one compared.
    """
    kind = _kind(path)
    ordered = sorted(rows, key=lambda row: row.key)
    if kind == ".csv":
        write(path, _csv(ordered).encode())
        return
    lines = ",\n".join(json.dumps(vars(row)) for row in ordered)
    content = (f"[\n{lines}\n]\n" if lines else "[]\n").encode()
    packed = kind == ".json.gz"
    write(path, gzip.compress(content, mtime=0) if packed else content)


def read_rows(path: Path) -> list[Row]:
    """Read the rows of such a file, or of all those in a folder."""
    if path.is_dir():
        files = sorted(file for kind in _KINDS for file in path.glob(f"*{kind}"))
        return [row for file in files for row in read_rows(file)]
    if not path.exists():
        raise ValueError(
            f"{path} must be a file of exported rows, or a folder of them, got none"
        )
    kind = _kind(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} must be readable, got {error.strerror}") from None
    try:
        text = (gzip.decompress(content) if kind == ".json.gz" else content).decode()
        given = _from_csv(text) if kind == ".csv" else json.loads(text)
    except (ValueError, csv.Error, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} must hold exported rows, got {error}") from None
    if not isinstance(given, list):
        raise ValueError(f"{path} must hold a list of rows, got {type(given).__name__}")
    return [_row(entry, f"{path}, row {place}") for place, entry in enumerate(given, 1)]


def _kind(path: Path) -> str:
    for kind in _KINDS:
        if path.name.endswith(kind):
            return kind
    raise ValueError(f"`path` must end in {', '.join(_KINDS)}, got {path.name!r}")


def _row(entry: Any, where: str) -> Row:
    if not isinstance(entry, dict) or set(entry) != set(_COLUMNS):
        raise ValueError(f"{where} must have the columns {list(_COLUMNS)}, got others")
    for name, kind in _COLUMNS.items():
        if not isinstance(entry[name], kind) or isinstance(entry[name], bool):
            raise ValueError(
                f"{where}: `{name}` must be {kind.__name__}, got {entry[name]!r}"
            )
    row = Row(**entry)
    if settings_hash(row.settings) != row.config_hash:
        raise ValueError(
            f"{where}: `config_hash` must be that of its settings, got "
            f"{row.config_hash!r}; was it edited?"
        )
    if not _is_scored(row):
        raise ValueError(f"{where}: `result` must hold scores with `last_mean`")
    return row


def _is_scored(row: Row) -> bool:
    scores = row.result.get("scores")
    return (
        isinstance(scores, dict)
        and bool(scores)
        and all(isinstance(one, dict) and "last_mean" in one for one in scores.values())
    )


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
