"""One rule for the endings of pictures, and the same bytes every time."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from vicinal.report.picture_file import picture_bytes, picture_format

HEADS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("form", HEADS)
def test_the_ending_decides_the_format(form):
    assert picture_format(Path(f"a.b.{form}")) == form
    one, two = (picture_bytes(Figure(), form) for _ in range(2))
    assert one.startswith(HEADS[form])
    assert one == two


@pytest.mark.parametrize("name", ["picture", "picture.jpg", "picture.png.bak"])
def test_other_endings_are_one_sentence(name):
    rule = rf"^`path` must end in \.png, \.svg or \.pdf, got '{name}'$"
    with pytest.raises(ValueError, match=rule):
        picture_format(Path("folder") / name)


def test_other_formats_are_one_sentence():
    with pytest.raises(ValueError, match=r"`form` must be one of .*, got 'jpg'"):
        picture_bytes(Figure(), "jpg")
