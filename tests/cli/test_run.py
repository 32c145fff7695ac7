"""`vicinal run`: what is refused leaves nothing behind."""

import sqlite3

import pytest
from report.synthetic import experiment, row
from typer.testing import CliRunner

from vicinal.cli import app, screen
from vicinal.experiments import config
from vicinal.report.results import Index, sections
from vicinal.report.tables import section_table


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


def test_runs_that_diverged_are_shown_and_reported(tmp_path):
    (tmp_path / "own.toml").write_text(
        OWN.replace("seeds = 1", "seeds = 2")
        .replace("[[grid]]", 'learning_rate = 1e30\nnoise = "impulsive"\n[[grid]]')
        .replace("epochs = 1", "epochs = 3")
    )
    places = ["--store", str(tmp_path / "s.db"), "--report", str(tmp_path / "p.html")]
    own = str(tmp_path / "own.toml")
    done = CliRunner().invoke(app, ["run", own, "--jobs", "1", *places])
    assert done.exit_code == 0, done.exception
    assert (tmp_path / "p.html").exists()


def test_two_metrics_in_a_block_are_both_named(capsys):
    grid = [{"task": "movies-users", "head": ["classes", "regression"]}]
    small = experiment(grid=grid, run={}, quick={"seeds": 1})
    metrics = {"classes": "rmse_argmax", "regression": "rmse_clipped"}
    given = [
        row(cell, 1.0, metric=metrics[cell.task.head])
        for cell in config.distinct(small)
    ]
    (part,) = sections(config.blocks(small), Index(given))
    header, lines = screen.scored(section_table(part, {}))
    assert header == ["model", "head", "n", "metric", "score", "± se"]
    assert [line[3] for line in lines] == ["RMSE of the likeliest stars", "RMSE"]
    assert [line[0] for line in lines] == ["ReLU", "ReLU"]


def test_a_store_that_cannot_grow_is_told_before_the_run(tmp_path):
    assert run_own(tmp_path).exit_code == 0
    with sqlite3.connect(tmp_path / "s.sqlite") as other:
        other.execute("BEGIN IMMEDIATE")
        done = run_own(tmp_path, "--rerun")
    other.close()
    assert "locked by another run" in str(done.exception)
    assert "cells to run" not in done.stdout


def test_options_of_results_stand_behind_its_commands(tmp_path):
    assert run_own(tmp_path).exit_code == 0
    store, out = str(tmp_path / "s.sqlite"), tmp_path / "rows.json"
    command = ["results", "--store", store, "export", str(out)]
    done = CliRunner().invoke(app, command)
    assert "must stand behind 'export'" in str(done.exception)
    command = ["results", "export", str(out), "--store", store, "--only", "seed=7"]
    assert "must leave rows" in str(CliRunner().invoke(app, command).exception)


def test_a_report_of_nothing_is_refused(tmp_path):
    page = tmp_path / "p.html"
    done = CliRunner().invoke(
        app, ["report", "--rows", str(tmp_path), "--out", str(page)]
    )
    assert "`--rows` or `--store` must hold rows, got none" in str(done.exception)
    assert not page.exists()
