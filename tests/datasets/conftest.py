"""The real data where this machine has it, and a made-up set in its place."""

import dataclasses
import os
from pathlib import Path

import pytest
from datasets.made_up import known_as, papers

from vicinal.datasets import catalog, storage

BESIDE = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def real_data():
    """The folder of published files."""
    folder = Path(os.environ.get("VICINAL_DATA", BESIDE))
    if not (folder / "cora").is_dir():
        pytest.skip("no folder 'cora' in VICINAL_DATA or beside the project")
    return folder


@pytest.fixture(autouse=True)
def empty_machine(monkeypatch, tmp_path):
    """No data but what a test brings: no variable, an empty cache."""
    monkeypatch.delenv("VICINAL_DATA", raising=False)
    cache = tmp_path / "cache"
    monkeypatch.setattr(storage, "cache_folder", lambda name: cache / name)


@pytest.fixture
def made_up(monkeypatch):
    """Made-up papers that the catalogue holds for Cora."""
    files = papers()
    known = [known_as(name, content) for name, content in files.items()]
    known.append(known_as("cora.npz", b"", required=False))
    cora = dataclasses.replace(catalog.CATALOG["cora"], files=tuple(known))
    monkeypatch.setitem(catalog.CATALOG, "cora", cora)
    return files
