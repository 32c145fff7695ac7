"""Whole, or not at all; and told before long work."""

import pytest

from vicinal.files import require_writable, require_writable_folder, write


def test_a_file_is_written_with_its_folder_and_replaced(tmp_path):
    path = tmp_path / "new" / "one"
    for content in (b"long content", b"1"):
        write(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_what_stops_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "one"
    write(path, b"old")
    with pytest.raises(TypeError):
        write(path, object())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"got .*one \(.*file: (File exists|Not a dir)"):
        write(tmp_path / "file" / "one", b"1")


@pytest.mark.parametrize("name", ["file/one", "folder"])
def test_what_cannot_be_written_is_told_before(tmp_path, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    require_writable(tmp_path / "new" / "one", "-o")
    with pytest.raises(ValueError, match=r"`-o` must be .* (File exists|is a folder)"):
        require_writable(tmp_path / name, "-o")


def test_a_folder_is_made_or_refused(tmp_path):
    (tmp_path / "file").write_text("")
    require_writable_folder(tmp_path / "new", "-o")
    assert list((tmp_path / "new").iterdir()) == []
    with pytest.raises(
        ValueError, match=r"`-o` must be a folder .*: (File exists|Not)"
    ):
        require_writable_folder(tmp_path / "file", "-o")
