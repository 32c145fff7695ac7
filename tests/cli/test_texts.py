"""``vicinal texts``: prepare once, draw, and one sentence when it fails."""

import sys

import pytest
from datasets.library import fill

from vicinal.cli import main
from vicinal.datasets import storage


@pytest.fixture
def vicinal(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("VICINAL_DATA", raising=False)
    monkeypatch.setattr(storage, "cache_folder", lambda name: tmp_path / "c" / name)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["vicinal", "texts", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        return done.value.code or 0, *capsys.readouterr()

    return call


@pytest.fixture
def shelf(tmp_path):
    return fill(tmp_path / "shelf", length=1100)


def test_prepare_shows_progress_and_keeps_the_numbers(vicinal, shelf, tmp_path):
    words = shelf / "words.txt"
    code, shown, _ = vicinal("prepare", "--texts", shelf, "--words", words)
    assert code == 0
    assert "12/12 texts" in shown
    assert "13,200 words of 4 authors, numbered by a list of 6" in shown
    assert len(list((tmp_path / "c" / "tokens").glob("*.npz"))) == 1
    _, again, _ = vicinal("prepare", "--texts", shelf, "--words", words)
    assert "12/12" not in again


def test_a_picture_is_written(vicinal, shelf, tmp_path):
    out = tmp_path / "wan.svg"
    given = ("--texts", shelf, "--words", shelf / "words.txt", "--out", out)
    code, shown, _ = vicinal("network", "bea", "--count", 5, *given)
    assert code == 0
    assert "5 words of bea" in shown
    assert out.read_text().startswith("<?xml")


def test_what_fails_is_one_sentence_and_nothing_is_written(vicinal, shelf, tmp_path):
    (shelf / "ann" / "bad.txt").write_bytes(b"of the \xff")
    code, _, told = vicinal("prepare", "--texts", shelf)
    assert code == 2
    assert told == (
        "vicinal: ann/bad.txt: must be UTF-8, got byte 0xff at offset 7; convert it\n"
    )
    assert not list((tmp_path / "c").rglob("*.npz"))
    code, _, told = vicinal("prepare", "--texts", tmp_path / "none")
    assert code == 2
    assert told.startswith("vicinal: `texts` must be a folder that holds AUTHOR/*.txt")
