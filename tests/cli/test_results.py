"""`vicinal results tables`: one table, part of it, side by side; nothing found."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from vicinal.cli import app

ROWS = str(Path(__file__).parents[2] / "results")


def _tables(*options):
    return CliRunner().invoke(
        app, ["results", "tables", "citations", "--rows", ROWS, *options]
    )


def test_only_and_across_give_a_narrow_table():
    done = _tables("--only", "activation=relu,model=gnn,layers=1", "--across", "taps")
    lines = done.stdout.splitlines()
    assert lines[2] == "| model | n | taps 5 | taps 6 | taps 7 |"
    assert [line.split(" | ")[:2] for line in lines[4:5]] == [["| ReLU", "20"]]


@pytest.mark.parametrize("option", [("--table", "none"), ("--only", "taps=99")])
def test_what_leaves_no_rows_is_told(option):
    done = _tables(*option)
    assert done.exit_code != 0
    assert "`--table` and `--only` must leave rows" in str(done.exception)
