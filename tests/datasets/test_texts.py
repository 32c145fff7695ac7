"""Folders of texts, and what is wrong with some."""

import pytest

from vicinal.datasets.texts import Text, decode, read_texts


def test_texts_come_by_author_and_title(tmp_path):
    for name in ("b/two.txt", "a/zed.txt", "a/one.txt", "a/notes.md", "loose.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = [(text.author, text.title) for text in read_texts(tmp_path)]
    assert found == [("a", "one"), ("a", "zed"), ("b", "two")]


def test_a_folder_without_texts_is_refused(tmp_path):
    (tmp_path / "loose.txt").write_text("text")
    with pytest.raises(ValueError, match=r"`texts` must be a folder that holds AUTHOR"):
        list(read_texts(tmp_path))


def test_undecodable_bytes_are_told_by_file_and_offset():
    with pytest.raises(ValueError, match=r"a/one\.txt: .* byte 0xe9 at offset 3"):
        decode(Text("a", "one", b"caf\xe9"))
