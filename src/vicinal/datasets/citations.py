"""Citation networks: the subject of a paper, told from its words and citations (V-D).

Two splits of Cora go by the same name. ``"pygcn"`` takes papers in the order of the
file: 140, 300 and 1,000 of them; it is the one of the paper. ``"planetoid"`` has 20
papers of each subject for training, 500 for validation and 1,000 for the test. It
cannot be told from the text files and is read from ``cora.npz``.
"""

import io
import zipfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse
import torch
from pydantic import BaseModel, ConfigDict
from torch import Tensor

from vicinal.datasets import download
from vicinal.datasets.catalog import checksum
from vicinal.datasets.cora_text import Papers, parse_cites, parse_content
from vicinal.datasets.source import Source
from vicinal.datasets.task import Task
from vicinal.graphs import Graph

__all__ = ["SOURCE", "Settings", "load"]

_NAME = "cora"
_PYGCN = (range(140), range(200, 500), range(500, 1500))
_PARTS = ("train", "val", "test")


class Settings(BaseModel):
    """What may be set; the defaults are the decisions on what the paper leaves open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    split: Literal["pygcn", "planetoid"] = "pygcn"
    words: Literal["raw", "normalized"] = "raw"  # zeros and ones, or rows that sum to 1


def load(settings: Settings, seed: int, folder: Path | None = None) -> Task:
    """Read Cora; nothing is drawn, the seed is that of the networks.

    Args:
        settings: Which split, which form of the words.
        seed: Unused: the papers are always the same.
        folder: The user's folder of data sets; the usual places come after it.
    """
    papers = parse_content(download.content(_NAME, "cora.content", folder))
    cites = parse_cites(download.content(_NAME, "cora.cites", folder), papers)
    train, valid, test = _split(settings, folder)
    graph = undirected(cites, len(papers.ids))
    subjects = sorted(set(papers.subjects))
    return Task(
        graph,
        word_counts(papers, settings.words == "normalized"),
        torch.tensor([subjects.index(subject) for subject in papers.subjects]),
        train,
        valid,
        test,
        unit="node",
        num_outputs=len(subjects),
        checksum=_checksum(settings, folder),
        facts=(("citations", len(cites)), ("edges", graph.num_edges // 2)),
    )


def undirected(cites: "np.typing.NDArray[np.int64]", num_nodes: int) -> Graph:
    """Join papers of which one cites the other; a citation of itself joins nothing.

    Example:
        >>> undirected(np.array([[0, 1], [1, 0], [2, 2]]), 3)
        Graph(num_nodes=3, num_edges=2)
    """
    ones = np.ones(len(cites))
    one_way = scipy.sparse.coo_array((ones, cites.T), shape=(num_nodes, num_nodes))
    both: Any = (one_way + one_way.T).tocsr()
    both.setdiag(0)
    both.eliminate_zeros()
    both.data[:] = 1.0
    return Graph.from_scipy(both)


def word_counts(papers: Papers, normalized: bool) -> Tensor:  # shape: (N, F), sparse
    r"""Words of all papers.

    Example:
        >>> papers = parse_content(b"8\t1\t1\tTheory\n9\t0\t0\tTheory\n")
        >>> word_counts(papers, normalized=True).to_dense().tolist()
        [[0.5, 0.5], [0.0, 0.0]]
    """
    words = papers.words.tocoo()
    total = np.maximum(papers.words.sum(axis=1), 1)
    data = words.data / total[words.coords[0]] if normalized else words.data
    places = torch.from_numpy(np.stack(words.coords).astype(np.int64))
    values = torch.from_numpy(data).to(torch.get_default_dtype())
    return torch.sparse_coo_tensor(
        places, values, words.shape, check_invariants=True
    ).coalesce()


def _split(settings: Settings, folder: Path | None) -> tuple[Tensor, Tensor, Tensor]:
    if settings.split == "pygcn":
        train, valid, test = (torch.tensor(part) for part in _PYGCN)
        return train, valid, test
    try:
        npz = download.content(_NAME, "cora.npz", folder)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{error}; split='pygcn' does without") from None
    train, valid, test = _planetoid(npz)
    return train, valid, test


def _planetoid(npz: bytes) -> list[Tensor]:
    try:
        with np.load(io.BytesIO(npz), allow_pickle=False) as arrays:
            parts = [arrays[f"planetoid_{part}"] for part in _PARTS]
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"`cora.npz` must hold the Planetoid split, got an error: {error}"
        ) from None
    if any(part.dtype.kind != "i" or part.ndim != 1 for part in parts):
        kinds = [f"{part.dtype}{part.shape}" for part in parts]
        raise ValueError(f"`cora.npz` must list papers by number, got {kinds}")
    return [torch.from_numpy(part.astype(np.int64)) for part in parts]


def _checksum(settings: Settings, folder: Path | None) -> str:
    """Of the published files that are read; every copy is compared with it."""
    return checksum(_NAME, optional=settings.split == "planetoid")


SOURCE = Source(Settings, load, _checksum)
