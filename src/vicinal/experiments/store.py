"""Rows of finished cells in one SQLite file; appended, never rewritten."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Key", "Row", "Store", "StoreError", "settings_hash"]

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
_INTO = " INTO rows VALUES (?,?,?,?,?,?)"

Key = tuple[str, int, str, int]  # configuration hash, seed, checksum of data, version


def settings_hash(settings: dict[str, Any]) -> str:
    """SHA-256 of what is set, 16 digits.

    Example:
        >>> settings_hash({"task": "citations"})
        '7c274004f5d88b1b'
    """
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class StoreError(OSError):
    """The store cannot be used; the message says why and what to do."""


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
    def key(self) -> Key:
        """What makes a row the same row."""
        return self.config_hash, self.seed, self.data, self.version


class Store:
    """A file of rows.

    Example:
        >>> store = Store(Path(":memory:"))
        >>> store.append(Row("ab12", 0, "", 1, {"task": "t"}, {"seconds": 2.0}))
        >>> [row.result for row in store.rows()]
        [{'seconds': 2.0}]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explained():
            self._file = sqlite3.connect(path, timeout=5.0)
            self._open()

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
        for config_hash, seed, data, version, settings, result in found:
            key = (config_hash, seed, data, version)
            yield Row(*key, json.loads(settings), json.loads(result))

    def keys(self) -> set[Key]:
        """The keys of all rows."""
        query = "SELECT config_hash, seed, data, version FROM rows"
        with self._explained():
            return set(self._file.execute(query).fetchall())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _open(self) -> None:
        application = self._pragma("application_id")
        tables = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application == 0 and tables == 0:
            with self._file:
                self._file.execute(_TABLE)
                self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {_SCHEMA}")
        elif application != _APPLICATION:
            raise StoreError(
                f"`--store` must be a store of vicinal, got another program's database "
                f"{self.path}; name a new file"
            )
        elif (schema := self._pragma("user_version")) > _SCHEMA:
            raise StoreError(
                f"`--store` must be of schema {_SCHEMA} or older, got {schema} in "
                f"{self.path}; a newer vicinal wrote it: update, or name a new file"
            )

    def _pragma(self, name: str) -> int:
        return int(self._file.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(_sentence(self.path, error)) from None


def _values(row: Row) -> tuple[Any, ...]:
    return *row.key, json.dumps(row.settings), json.dumps(row.result)


def _sentence(path: Path, error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith("SQLITE_BUSY") or code.startswith("SQLITE_LOCKED"):
        return f"{path} is locked by another run; wait for it, or use another `--store`"
    if code.startswith("SQLITE_FULL"):
        return f"the disk is full: {path} could not grow; finished cells are kept"
    if code.startswith("SQLITE_READONLY") or code.startswith("SQLITE_CANTOPEN"):
        return f"{path} cannot be written; use `--store` in a folder you may write to"
    if code.startswith("SQLITE_NOTADB"):
        return f"{path} is not a database; name a new file with `--store`"
    return f"{path}: {error}"
