"""The catalogue: complete entries, one checksum per set."""

import dataclasses
import re
from pathlib import Path

import pytest

import vicinal
from vicinal.datasets.catalog import CATALOG, checksum, entry


@pytest.mark.parametrize("data", CATALOG.values(), ids=CATALOG)
def test_an_entry_says_all(data):
    assert CATALOG[data.name] is data
    assert data.title
    assert data.terms
    assert data.citation
    assert data.homepage.startswith("https://")
    names = [file.name for file in data.files]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in data.files)
    offered = {name for address in data.addresses for _, name in address.members}
    assert offered == {file.name for file in data.files if file.required}


def test_an_unknown_set_is_refused():
    with pytest.raises(ValueError, match=r"`name` must be one of \['cora'.*, got 'x'"):
        entry("x")


def test_the_checksum_is_that_of_required_files(monkeypatch):
    cora = entry("cora")
    before = checksum("cora")
    optional = dataclasses.replace(cora, files=cora.files[:2])
    monkeypatch.setitem(CATALOG, "cora", optional)
    assert checksum("cora") == before
    other = dataclasses.replace(cora.files[1], sha256="0" * 64)
    changed = dataclasses.replace(cora, files=(cora.files[0], other))
    monkeypatch.setitem(CATALOG, "cora", changed)
    assert checksum("cora") != before


def test_optional_files_have_a_checksum_with_the_others(monkeypatch):
    cora = entry("cora")
    before = checksum("cora", optional=True)
    assert before != checksum("cora")
    other = dataclasses.replace(cora.files[-1], sha256="0" * 64)
    changed = dataclasses.replace(cora, files=(*cora.files[:-1], other))
    monkeypatch.setitem(CATALOG, "cora", changed)
    assert checksum("cora", optional=True) != before


def test_no_package_index_is_named():
    for path in Path(vicinal.__file__).parent.rglob("*.py"):
        assert "pypi" not in path.read_text().lower(), path
