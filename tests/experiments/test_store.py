import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from vicinal.experiments import store as store_module
from vicinal.experiments.exchange import read_rows, write_rows
from vicinal.experiments.row import Row, settings_hash
from vicinal.experiments.store import Store, StoreError

REST = {"curves": {}, "parameters": {}, "hop_weights": [], "data_facts": {}}
REST |= {"seconds": 1.0}


def row(seed=0, score=0.5):
    result = {"scores": {"accuracy": {"last": score, "last_mean": score}}} | REST
    settings = {"task": "t", "times": [1, 10]}
    return Row(settings_hash(settings), seed, "", 1, settings, result)


def test_rows_come_back_as_they_went_in(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.append(row(1))
    store.append(row(0))
    assert list(Store(tmp_path / "s.sqlite").rows()) == [row(0), row(1)]


def test_the_same_key_is_one_row(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.append(row(score=0.1))
    store.append(row(score=0.2))
    assert list(store.rows()) == [row(score=0.2)]


def test_an_import_keeps_what_is_there(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.append(row(0, score=0.1))
    assert store.append_all([row(0, score=0.9), row(1)]) == 1
    assert list(store.rows()) == [row(0, score=0.1), row(1)]


def test_another_programs_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's database"):
        Store(path)
    assert path.read_bytes() == before


def test_two_runs_may_begin_a_store_at_once(tmp_path):
    first = "import sys; from pathlib import Path; sys.stdin.read(1);"
    code = (
        first + "from vicinal.experiments.store import Store; Store(Path(sys.argv[1]))"
    )
    for trial in range(3):
        path = tmp_path / f"{trial}.sqlite"
        begun = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE
            )
            for _ in range(2)
        ]
        for one in begun:
            one.stdin.close()
        assert [one.wait() for one in begun] == [0, 0]


def test_a_store_that_was_begun_and_not_finished_is_empty(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    monkeypatch.setattr(store_module, "_SCHEMA", "no number")  # stops in the middle
    with pytest.raises(StoreError):
        Store(path)
    monkeypatch.undo()
    assert list(Store(path).rows()) == []


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE rows SET settings = '{'", "must be a whole store, got a damaged one"),
        ("UPDATE rows SET result = '{}'", "row 1: `result` must hold scores"),
        ("DROP TABLE rows", "must be a whole store, got a damaged one"),
    ],
)
def test_a_damaged_store_is_named(tmp_path, damage, sentence):
    path = tmp_path / "s.sqlite"
    store = Store(path)
    store.append(row())
    store.close()
    with sqlite3.connect(path) as file:
        file.execute(damage)
    file.close()
    with pytest.raises((StoreError, ValueError), match=rf"(?=.*s\.sqlite).*{sentence}"):
        list(Store(path).rows())


def test_a_cut_off_store_is_named(tmp_path):
    path = tmp_path / "s.sqlite"
    store = Store(path)
    store.append_all([row(seed) for seed in range(500)])
    store.close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StoreError, match="must be a whole store, got a damaged one"):
        list(Store(path).rows())


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a shopping list, long enough to be read as a header " * 9)
    with pytest.raises(StoreError, match="must be a store, got what is no database"):
        Store(path)


def test_a_store_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(StoreError, match="a newer vicinal wrote it"):
        Store(path)


def test_a_locked_store_says_so(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda p, **given: connect(p, **given | {"timeout": 0.1})
    )
    store = Store(path)
    other = connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="must be free, got one locked by another run"):
        store.append(row())
    other.close()


def test_a_missing_folder_says_so(tmp_path):
    with pytest.raises(StoreError, match="must be writable, got no"):
        Store(tmp_path / "nowhere" / "s.sqlite")


def test_a_read_only_store_says_so(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).append(row())
    store = Store(path, readonly=True)
    assert list(store.rows()) == [row()]
    with pytest.raises(StoreError, match="must be writable, got no right to write"):
        store.append(row(1))


@pytest.mark.parametrize("content", [b"", b"x"])
def test_reading_writes_nothing(tmp_path, content):
    path = tmp_path / "s.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="`--store` must be a store"):
        Store(path, readonly=True)
    assert path.read_bytes() == content


def test_a_few_bytes_are_not_written_over(tmp_path):
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"x")
    with pytest.raises(StoreError, match="`--store` must be a store, got what is no"):
        Store(path)
    assert path.read_bytes() == b"x"


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(StoreError, match="must be a file, got the folder"):
        Store(tmp_path)


def test_a_full_disk_says_so(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    pages = store._file.execute("PRAGMA page_count").fetchone()[0]
    store._file.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="must have room to grow, got a full disk at"):
        store.append(Row("a", 0, "", 1, {}, {"curve": [0.123456] * 10_000}))
    assert list(store.rows()) == []


@pytest.mark.parametrize("name", ["rows.json", "rows.json.gz", "rows.csv"])
def test_files_of_rows_can_be_read_back(tmp_path, name):
    rows = [row(0, 0.1), row(1, 0.25)]
    write_rows(tmp_path / name, reversed(rows))
    assert read_rows(tmp_path / name) == rows
    assert read_rows(tmp_path) == rows
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "must hold exported rows"),
        ("{}", "must hold a list of rows, got dict"),
        ('[{"seed": 1}]', "must have the columns"),
        ("[" * 100_000, "must hold exported rows"),
        (json.dumps([vars(row()) | {"seed": "0"}]), "`seed` must be a whole number"),
        (json.dumps([vars(row()) | {"seed": 10**30}]), "`seed` must be a whole number"),
        (
            json.dumps([vars(row()) | {"result": []}]),
            "`result` must be a table",
        ),
    ],
)
def test_a_wrong_file_of_rows_is_refused(tmp_path, text, sentence):
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        read_rows(path)


def test_a_cut_off_archive_of_rows_is_refused(tmp_path):
    path = tmp_path / "rows.json.gz"
    write_rows(path, [row()])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ValueError, match="must hold exported rows"):
        read_rows(path)


def test_only_json_and_csv_are_written(tmp_path):
    with pytest.raises(ValueError, match=r"must end in .json, .json.gz, .csv, got"):
        write_rows(tmp_path / "rows.pickle", [])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"settings": {"task": "other"}}, "`config_hash` must be that of its settings"),
        ({"settings": {}, "config_hash": settings_hash({})}, "must name a `task`"),
        ({"result": {}}, "`result` must hold scores"),
        (
            {"result": {"scores": {"accuracy": {"last_mean": "high"}}}},
            "each with a number as `last_mean`",
        ),
        ({"result": {"scores": {"accuracy": {}}}}, "`result` must hold scores"),
        (
            {"result": {"scores": {"accuracy": {"last_mean": 0.5}}}},
            "`result.curves` must be a table of lists of numbers, got 'None'",
        ),
    ],
)
def test_rows_that_were_edited_are_refused(tmp_path, changes, sentence):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([vars(row()) | changes]))
    with pytest.raises(ValueError, match=sentence):
        read_rows(path)


@pytest.mark.parametrize("name", ["none.json", "none"])
def test_a_missing_file_is_told(tmp_path, name):
    with pytest.raises(ValueError, match=r"none.* must be a file of exported rows"):
        read_rows(tmp_path / name)


@pytest.mark.parametrize("name", ["rows.json", "rows.json.gz", "rows.csv"])
def test_the_first_score_stays_the_first(tmp_path, name):
    scores = {"error": {"last_mean": 0.1}, "accuracy": {"last_mean": 0.9}}
    write_rows(tmp_path / name, [replace(row(), result={"scores": scores} | REST)])
    (found,) = read_rows(tmp_path / name)
    assert list(found.scores) == ["error", "accuracy"]


def test_a_store_that_is_locked_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    store = Store(path)
    store.require_writable()
    with sqlite3.connect(path) as other:
        other.execute("BEGIN IMMEDIATE")
        store._file.execute("PRAGMA busy_timeout = 10")
        with pytest.raises(StoreError, match="locked by another run"):
            store.require_writable()
    other.close()
    store.append(row())  # what was refused is over


def test_a_store_without_its_table_is_damaged(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("ALTER TABLE rows RENAME TO gone")
    other.close()
    with pytest.raises(StoreError, match="must be a whole store, got a damaged one"):
        Store(path).keys()


def test_rows_of_many_epochs_come_back_from_csv(tmp_path):
    long = row()
    long.result["curves"] = {"train_loss": [0.12345] * 20_000}
    write_rows(tmp_path / "rows.csv", [long])
    assert read_rows(tmp_path / "rows.csv") == [long]


def test_rows_of_the_repository_stay_small():
    folder = Path(__file__).parents[2] / "results"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 20 * 10**6


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
@pytest.mark.parametrize("linked", [False, True])
def test_what_a_killed_run_left_half_written_is_undone_when_the_store_is_read(
    tmp_path, linked
):
    path = tmp_path / "s.sqlite"
    Store(path).append(row(0))
    code = (  # a full cache makes SQLite write into the file before the commit
        "import os, sqlite3, sys; file = sqlite3.connect(sys.argv[1]);"
        "file.execute('PRAGMA cache_size = 1');"
        "file.executemany('INSERT INTO rows VALUES (?, 1, ?, 1, ?, ?)',"
        " ((str(n), 'x' * 2000, '{}', '{}') for n in range(200)));"
        "os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -9
    assert path.with_name("s.sqlite-journal").stat().st_size > 0
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    assert list(Store(link if linked else path, readonly=True).rows()) == [row(0)]


def test_an_empty_file_holds_no_rows_but_may_be_filled(tmp_path):
    path = tmp_path / "s.sqlite"
    path.touch()
    with pytest.raises(StoreError, match="must be a store with rows, got the empty"):
        Store(path, readonly=True)
    Store(path).append(row(0))
    assert list(Store(path, readonly=True).rows()) == [row(0)]
