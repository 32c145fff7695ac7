"""`vicinal run`: what is refused leaves nothing behind."""

import pytest
from typer.testing import CliRunner

from vicinal.cli import app


def test_a_refused_run_leaves_no_store(tmp_path, monkeypatch):
    monkeypatch.setenv("VICINAL_DATA", str(tmp_path / "nothing"))
    own = tmp_path / "own.toml"
    own.write_text(
        'title = "t"\nsection = ""\nsummary = "s"\nseeds = 1\n[quick]\n'
        '[run]\ntask = "authorship"\ntexts = "no-such-folder"\nauthor = "x"\n[[grid]]\n'
    )
    store = tmp_path / "rows.sqlite"
    page = str(tmp_path / "page.html")
    done = CliRunner().invoke(
        app, ["run", str(own), "--store", str(store), "--report", page]
    )
    assert done.exit_code != 0
    assert not store.exists()


OWN = """
title = "A study of mine"
section = ""
summary = "One cell."
seeds = 1
[quick]
[run]
task = "source-localization"
samples = [20, 5, 5]
epochs = 1
[[grid]]
name = "relu"
"""


def run_own(folder, *options):
    own = folder / "own.toml"
    own.write_text(OWN)
    places = ["--store", str(folder / "s.sqlite"), "--report", str(folder / "p.html")]
    return CliRunner().invoke(app, ["run", str(own), "--jobs", "1", *places, *options])


def test_a_study_of_ones_own_is_on_its_page(tmp_path):
    assert run_own(tmp_path).exit_code == 0
    assert "A study of mine" in (tmp_path / "p.html").read_text()


@pytest.mark.parametrize("option", ["--data", "--logs", "--checkpoints"])
def test_a_folder_that_cannot_be_used_is_told_before_the_run(tmp_path, option):
    (tmp_path / "file").write_text("")
    done = run_own(tmp_path, option, str(tmp_path / "file" / "folder"))
    assert f"`{option}` must be " in str(done.exception)
    assert not (tmp_path / "s.sqlite").exists()


def test_a_report_of_nothing_is_refused(tmp_path):
    page = tmp_path / "p.html"
    done = CliRunner().invoke(
        app, ["report", "--rows", str(tmp_path), "--out", str(page)]
    )
    assert "`--rows` or `--store` must hold rows, got none" in str(done.exception)
    assert not page.exists()
