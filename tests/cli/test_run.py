"""`vicinal run`: what is refused leaves nothing behind."""

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
