"""``vicinal data``: one call each, and one sentence when it fails."""

import json
import sys

import pytest

from vicinal.cli import main
from vicinal.datasets import download, storage


@pytest.fixture
def vicinal(tmp_path, monkeypatch, capsys):
    """Run the command on a machine without data; exit code, output, errors."""
    monkeypatch.delenv("VICINAL_DATA", raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(storage, "cache_folder", lambda name: tmp_path / "c" / name)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["vicinal", "data", *arguments])
        with pytest.raises(SystemExit) as done:
            main()
        return done.value.code or 0, *capsys.readouterr()

    return call


def test_list_shows_terms_and_citation(vicinal):
    code, shown, _ = vicinal("list")
    assert code == 0
    for line in (
        "name       cora",
        "terms      no licence stated",
        "cite       P. Sen",
    ):
        assert line in shown


def test_list_says_where_a_set_lies(vicinal, tmp_path):
    folder = tmp_path / "cora"
    folder.mkdir()
    for name in ("cora.content.gz", "cora.cites"):
        (folder / name).write_bytes(b"")
    _, shown, _ = vicinal("list", "--json", "--data", str(tmp_path))
    sets = {facts["name"]: facts for facts in map(json.loads, shown.splitlines())}
    assert sets["cora"]["found in"] == str(folder)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["verify", "cora"], "vicinal: Cora citation network must be on this machine"),
        (["verify", "no-set"], "vicinal: `name` must be one of ['cora'"),
        (["fetch", "no-set"], "vicinal: `name` must be one of ['cora'"),
        (["fetch", "cora", "--from-index"], "vicinal: `graphdatascience==2.2` must"),
    ],
)
def test_what_fails_is_one_sentence(vicinal, arguments, sentence):
    code, shown, told = vicinal(*arguments)
    assert code == 2
    assert told.startswith(sentence)
    assert told.count("\n") == 1
    assert shown == ""


def test_an_edited_file_is_named(vicinal, tmp_path):
    (tmp_path / "cora").mkdir()
    (tmp_path / "cora" / "cora.content").write_bytes(b"1\t0\tTheory\n")
    code, _, told = vicinal("verify", "cora", "--data", str(tmp_path))
    assert code == 2
    assert "cora.content: must be the published cora.content" in told


def test_a_run_without_its_data_says_so_once(vicinal, tmp_path, monkeypatch, capsys):
    def refused(*_):
        raise ConnectionError("no network here")

    monkeypatch.setattr(download, "_from_address", refused)
    line = ["vicinal", "run", "citations", "--store", str(tmp_path / "s.sqlite")]
    monkeypatch.setattr(sys, "argv", line)
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code
    assert capsys.readouterr().err.count("Cora citation network must be") == 1
