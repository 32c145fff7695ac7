"""Rows of finished cells in one SQLite file; those of the same key are replaced."""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from vicinal.experiments.row import COLUMNS, Key, Row
from vicinal.experiments.row_check import checked_row

__all__ = ["Store", "StoreError"]

_APPLICATION = 0x76636E6C  # "vcnl": says whose file it is
_SCHEMA = 1
_TABLE = """
CREATE TABLE rows (
    config_hash TEXT NOT NULL,
    seed INTEGER NOT NULL,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (config_hash, seed, data, version)
) WITHOUT ROWID
"""
_REFUSALS = {  # how SQLite's code begins: rule, what it is about, remedy
    "SQLITE_BUSY": ("be free", "one locked by another run,", "wait, or name another"),
    "SQLITE_LOCKED": ("be free", "one locked by another run,", "wait, or name another"),
    "SQLITE_FULL": ("have room to grow", "a full disk at", "finished cells are kept"),
    "SQLITE_READONLY_ROLLBACK": (
        "be whole",
        "what a killed run left half-written,",
        "make it writable once",
    ),
    "SQLITE_READONLY": ("be writable", "no right to write", "name another folder"),
    "SQLITE_CANTOPEN": ("be writable", "no way to open", "name another folder"),
    "SQLITE_NOTADB": ("be a store", "what is no database,", "name a new file"),
    "SQLITE_CORRUPT": ("be a whole store", "a damaged one,", "name a new file"),
}
_INTO = " INTO rows VALUES (?,?,?,?,?,?)"


class StoreError(OSError):
    """The store cannot be used; the message says why and what to do."""


class Store:
    """A file of rows.

    Args:
        path: The file; made if it is not there, unless it is only read.
        readonly: Leave the file as it is, but for what a killed run left half-written.

    Example:
        >>> store = Store(Path(":memory:"))
        >>> store.append(Row("7c274004f5d88b1b", 0, "", 1, {"task": "citations"}, {}))
        >>> store.keys()
        {('7c274004f5d88b1b', 0, '', 1)}
    """

    def __init__(self, path: Path, readonly: bool = False) -> None:
        self.path = path
        _require_file(path)
        mode = "?mode=ro" if readonly else ""
        place = f"{path.absolute().as_uri()}{mode}" if mode else str(path)
        with self._explained():
            if readonly:
                _roll_back(path.resolve())  # SQLite's journal is beside the real file
            self._file = sqlite3.connect(place, timeout=5.0, uri=readonly)
            if not readonly and self._is_empty():
                self._create()
            self._require_ours()

    def append(self, row: Row) -> None:
        """Add a row for good; the same key again replaces it."""
        with self._explained(), self._file:
            self._file.execute("INSERT OR REPLACE" + _INTO, _values(row))

    def append_all(self, rows: Iterable[Row]) -> int:
        """Add many rows in one step; return how many were new."""
        before = len(self.keys())
        with self._explained(), self._file:
            self._file.executemany("INSERT OR IGNORE" + _INTO, map(_values, rows))
        return len(self.keys()) - before

    def rows(self) -> Iterator[Row]:
        """All rows, ordered by key."""
        with self._explained():
            found = self._file.execute(
                "SELECT * FROM rows ORDER BY config_hash, seed, data, version"
            ).fetchall()
        for place, values in enumerate(found, 1):
            yield checked_row(self._entry(values), f"{self.path}, row {place}")

    def keys(self) -> set[Key]:
        """The keys of all rows."""
        query = "SELECT config_hash, seed, data, version FROM rows"
        with self._explained():
            return set(self._file.execute(query).fetchall())

    def require_writable(self) -> None:
        """Refuse, before long work, a store that rows cannot be added to."""
        with self._explained():
            self._file.execute("BEGIN IMMEDIATE")
            self._file.rollback()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _entry(self, values: tuple[Any, ...]) -> dict[str, Any]:
        *key, settings, result = values
        try:
            parts = [*key, json.loads(settings), json.loads(result)]
        except (TypeError, ValueError, RecursionError) as error:
            raise StoreError(_damaged(self.path, error)) from None
        return dict(zip(COLUMNS, parts, strict=True))

    def _require_ours(self) -> None:
        if self._is_empty():
            raise StoreError(
                f"`--store` must be a store with rows, got the empty file {self.path}; "
                "`vicinal run` fills it"
            )
        if self._pragma("application_id") != _APPLICATION:
            raise StoreError(
                f"`--store` must be a store of vicinal, got another program's database "
                f"{self.path}; name a new file"
            )
        if (schema := self._pragma("user_version")) > _SCHEMA:
            raise StoreError(
                f"`--store` must be of schema {_SCHEMA} or older, got {schema} in "
                f"{self.path}; a newer vicinal wrote it: update, or name a new file"
            )
        (found,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok" or not self._tables():
            raise StoreError(_damaged(self.path, found))

    def _create(self) -> None:
        """Whole or not at all, also if two runs begin at once or one is killed."""
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            if self._is_empty():  # still: nobody else was first
                self._file.execute(_TABLE)
                self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {_SCHEMA}")

    def _is_empty(self) -> bool:
        return self._pragma("application_id") == 0 and not self._tables()

    def _tables(self) -> int:
        query = "SELECT count(*) FROM sqlite_master"
        return int(self._file.execute(query).fetchone()[0])

    def _pragma(self, name: str) -> int:
        return int(self._file.execute(f"PRAGMA {name}").fetchone()[0])

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(_sentence(self.path, error)) from None


def _require_file(path: Path) -> None:
    """Refuse what SQLite would take for an empty database, and write over."""
    if path.is_dir():
        raise StoreError(f"`--store` must be a file, got the folder {path}")
    begun = (
        path.read_bytes()[:1] if path.is_file() and path.stat().st_size < 16 else b""
    )
    if begun:
        raise StoreError(
            f"`--store` must be a store, got what is no database, {path}; "
            "name a new file"
        )


def _roll_back(path: Path) -> None:
    """Undo what a killed run did not finish; a run at work is not disturbed."""
    if not path.with_name(f"{path.name}-journal").exists():
        return
    place = f"{path.as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(place, timeout=5.0, uri=True)) as file:
        file.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _values(row: Row) -> tuple[Any, ...]:
    return *row.key, json.dumps(row.settings), json.dumps(row.result)


def _damaged(path: Path, error: object) -> str:
    return (
        f"`--store` must be a whole store, got a damaged one, {path} ({error}); "
        "name a new file, and import exported rows into it"
    )


def _sentence(path: Path, error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorname", "") or ""
    if "no such" in str(error):
        return _damaged(path, error)
    for start, (rule, got, remedy) in _REFUSALS.items():
        if code.startswith(start):
            return f"`--store` must {rule}, got {got} {path}; {remedy}"
    return f"`--store` must be usable, got {error} from {path}; name a new file"
