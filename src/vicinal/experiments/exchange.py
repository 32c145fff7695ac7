"""Rows as JSON or CSV files, to move them between machines and into the repository."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vicinal.experiments.row import COLUMNS, Row
from vicinal.experiments.row_check import checked_row
from vicinal.files import write

__all__ = ["read_rows", "write_rows"]

_KINDS = (".json", ".json.gz", ".csv")
_BROKEN = (
    ValueError,
    csv.Error,
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
    RecursionError,
)


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
    except _BROKEN as error:
        raise ValueError(f"{path} must hold exported rows, got {error}") from None
    if not isinstance(given, list):
        raise ValueError(f"{path} must hold a list of rows, got {type(given).__name__}")
    return [
        checked_row(entry, f"{path}, row {place}")
        for place, entry in enumerate(given, 1)
    ]


def _kind(path: Path) -> str:
    for kind in _KINDS:
        if path.name.endswith(kind):
            return kind
    raise ValueError(f"`path` must end in {', '.join(_KINDS)}, got {path.name!r}")


def _csv(rows: list[Row]) -> str:
    """The columns of a row, its first score for people, and the rest as JSON."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, "metric", "last_mean", "last", "best"])
    for row in rows:
        metric = next(iter(row.scores))
        score = row.scores[metric]
        scores = [score.get(name, "") for name in ("last_mean", "last", "best")]
        structured = [json.dumps(row.settings), json.dumps(row.result)]
        writer.writerow([*row.key, *structured, metric, *scores])
    return text.getvalue()


def _from_csv(text: str) -> list[dict[str, Any]]:
    rows = []
    before = csv.field_size_limit(max(len(text), 1))  # curves of many epochs are long
    try:
        lines = list(csv.DictReader(io.StringIO(text)))
    finally:
        csv.field_size_limit(before)
    for line in lines:
        given: dict[str, Any] = {name: line.get(name) for name in COLUMNS}
        for name, kind in COLUMNS.items():
            if kind is not str and given[name] is not None:
                given[name] = json.loads(given[name])
        rows.append(given)
    return rows
