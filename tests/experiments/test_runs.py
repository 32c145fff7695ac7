"""Whole runs of the command, also killed ones."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from vicinal.experiments.store import Store

STUDY = """
title = "Tiny"
section = ""
summary = "A study of seconds."
seeds = 3

[run]
task = "source-localization"
num_nodes = 20
sources = 3
samples = [200, 20, 20]
epochs = 2
batch = 20

[quick]
seeds = 1

[[grid]]
activation = ["relu", "identity"]

[[grid]]
name = "local"
activation = ["max", "median"]
hops = 1
"""
CELLS = 12


@pytest.fixture
def study(tmp_path):
    (tmp_path / "tiny.toml").write_text(STUDY)
    return tmp_path


def vicinal(folder, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "vicinal", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        **more,
    )


def rows(folder, name="vicinal.sqlite"):
    return list(Store(folder / name).rows())


def comparable(found):
    """Rows without what is measured rather than computed."""
    return [
        (row.key, {k: v for k, v in row.result.items() if "seconds" not in k})
        for row in found
    ]


def test_the_same_bits_for_any_number_of_jobs(study):
    for jobs in ("1", "2"):
        done = vicinal(
            study, "run", "tiny.toml", "--jobs", jobs, "--store", f"{jobs}.db"
        )
        assert done.returncode == 0, done.stderr
    one, two = rows(study, "1.db"), rows(study, "2.db")
    assert len(one) == CELLS
    assert comparable(one) == comparable(two)


def test_a_second_run_has_nothing_to_do_and_rerun_runs_all(study):
    vicinal(study, "run", "tiny.toml", "--quiet")
    before = rows(study)
    assert "0 of 12 cells" in vicinal(study, "run", "tiny.toml").stdout
    assert rows(study) == before
    done = vicinal(study, "run", "tiny.toml", "--rerun", "--only", "activation=max")
    assert "3 of 3 cells" in done.stdout
    assert comparable(rows(study)) == comparable(before)


def test_json_is_one_row_a_line_and_quiet_is_quiet(study):
    done = vicinal(study, "run", "tiny.toml", "--quick", "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 4
    assert {t["settings"].get("activation", "relu") for t in told} == {
        "relu", "identity", "max", "median",
    }  # fmt: skip
    assert vicinal(study, "run", "tiny.toml", "--quick", "--quiet").stdout == ""
    again = vicinal(study, "run", "tiny.toml", "--quick", "--json")
    assert sorted(again.stdout.splitlines()) == sorted(done.stdout.splitlines())


def test_settings_can_be_changed(study):
    done = vicinal(study, "run", "tiny.toml", "--quick", "--quiet", "--set", "epochs=1")
    assert done.returncode == 0, done.stderr
    assert {len(row.result["curves"]["train_loss"]) for row in rows(study)} == {1}


def start(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "vicinal", "run", "tiny.toml", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # a test that runs in the background would hand on that Ctrl-C is ignored


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def children(process):
    path = f"/proc/{process.pid}/task/{process.pid}/children"
    with open(path) as file:
        return [int(number) for number in file.read().split()]


def count(folder):
    path = folder / "vicinal.sqlite"
    try:
        return len(rows(folder)) if path.exists() else 0
    except OSError:
        return 0


SLOW = ("--set", "epochs=40", "--jobs", "2")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_keeps_what_is_finished_and_goes_on(study, how):
    process = start(study, *SLOW)
    wait_for(lambda: count(study) >= 2)
    workers = children(process)
    process.send_signal(how)
    _, error = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "finished cells are kept" in error
    kept = rows(study)
    assert 2 <= len(kept) < CELLS
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers))
    done = vicinal(study, "run", "tiny.toml", *SLOW)
    assert f"{CELLS - len(kept)} of {CELLS} cells" in done.stdout
    finished = {row.key: row for row in rows(study)}
    assert len(finished) == CELLS
    assert all(finished[row.key] == row for row in kept)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_of_the_whole_group_while_workers_start_is_one_sentence(study):
    process = start(study, *SLOW)
    wait_for(lambda: len(children(process)) == 3)  # the pool's tracker, two workers
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error == "stopped; finished cells are kept, the same command goes on\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_worker_is_reported_with_its_cell_and_the_rest_goes_on(study):
    process = start(study, *SLOW)
    wait_for(lambda: count(study) >= 1)
    victim = max(children(process))  # the resource tracker of the pool is the first
    os.kill(victim, signal.SIGKILL)
    _, error = process.communicate(timeout=180)
    assert process.returncode == 1
    assert error.count("failed: source-localization seed") == 1
    assert "its process died (exit code -9)" in error
    assert len(rows(study)) == CELLS - 1


def test_results_are_listed_exported_and_imported(study):
    vicinal(study, "run", "tiny.toml", "--quick", "--quiet")
    assert "4 rows in vicinal.sqlite" in vicinal(study, "results").stdout
    relu = vicinal(study, "results", "--only", "hops=0")  # a default, not in the row
    assert "2 rows in vicinal.sqlite" in relu.stdout
    for name in ("rows.json", "rows.csv"):
        assert "4 rows" in vicinal(study, "results", "export", name).stdout
        done = vicinal(study, "results", "import", name, "--store", f"{name}.db")
        assert "4 new of 4 rows" in done.stdout
        assert rows(study, f"{name}.db") == rows(study)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "nothing"], "`experiment` must be one of"),
        (["run", "tiny.toml", "--set", "epochs=0"], "`epochs` must be greater than or"),
        (["run", "tiny.toml", "--set", "epoch=5"], "`epoch` must be a setting of"),
        (["run", "tiny.toml", "--only", "hops=7"], "`--only` must leave at least one"),
        (
            ["run", "tiny.toml", "--store", "no/such/s.db"],
            "`--store` must be writable, got no way to open",
        ),
        (
            ["run", "tiny.toml", "--store", "tiny.toml"],
            "`--store` must be a store, got what is no database",
        ),
        (["run", "tiny.toml", "--report", "/proc/no/x.html"], "`--report` must be a"),
        (["results"], "`--store` must be an existing file"),
        (["results", "import", "tiny.toml"], "must end in .json, .json.gz, .csv"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(study, arguments, sentence):
    done = vicinal(study, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
