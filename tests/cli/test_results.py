"""`vicinal results tables`: one table, part of it, side by side; nothing found."""

from pathlib import Path

import pytest
from report.synthetic import row
from typer.testing import CliRunner

from vicinal.cli import app
from vicinal.experiments.cell import make_cell
from vicinal.experiments.store import Store

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


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--table", "x"), "`--table` must be one of ['Cora, pygcn split'], got 'x'"),
        (("--only", "taps=99"), "`--rows` and `--only` must leave rows, got none of"),
        (("--only", "zz=1"), "`--only` must name settings of the cells, got 'zz'"),
    ],
)
def test_what_leaves_no_rows_is_told(option, sentence):
    done = _tables(*option)
    assert done.exit_code != 0
    assert sentence in str(done.exception)


def test_an_export_of_nothing_leaves_the_file(tmp_path):
    store, path = tmp_path / "s.sqlite", tmp_path / "rows.json"
    Store(store).append(row(make_cell({"task": "denoising"}, 0, "here"), 0.5))
    export = ["results", "export", str(path), "--store", str(store)]
    assert CliRunner().invoke(app, export).exit_code == 0
    kept = path.read_bytes()
    done = CliRunner().invoke(app, [*export, "--experiment", "citations"])
    assert "must leave rows, got none of" in str(done.exception)
    assert path.read_bytes() == kept


def test_an_import_of_nothing_makes_no_store(tmp_path):
    store = tmp_path / "s.sqlite"
    (tmp_path / "empty.json").write_text("[]")
    given = ["results", "import", str(tmp_path / "empty.json"), "--store", str(store)]
    assert "must hold rows, got none" in str(CliRunner().invoke(app, given).exception)
    assert not store.exists()
