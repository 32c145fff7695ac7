"""Seeds and small named graphs that many tests share."""

import os
from pathlib import Path

import pytest
import torch

import vicinal as vc

BESIDE = Path(__file__).parents[2] / "shared" / "data"
torch.set_num_threads(1)  # tests run side by side; idle threads of torch would spin


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.fixture
def chain():
    """0 -> 1 -> 2, the directed path."""
    return vc.Graph.from_edges([(0, 1), (1, 2)], num_nodes=3)


@pytest.fixture
def digraph():
    """A random directed graph of 12 nodes without self loops."""
    generator = torch.Generator().manual_seed(7)
    mask = torch.rand(12, 12, generator=generator) < 0.25
    return vc.Graph.from_dense(mask.float().fill_diagonal_(0))


@pytest.fixture(scope="session")
def real_novels():
    """The folder that holds the novels and the list of words."""
    folder = Path(os.environ.get("VICINAL_DATA", BESIDE))
    if not (folder / "novels").is_dir():
        pytest.skip("no folder 'novels' in VICINAL_DATA or beside the project")
    return folder
