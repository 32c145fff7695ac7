"""Cora as a task: the published facts, and what is refused."""

import dataclasses
import io

import networkx as nx
import numpy as np
import pytest
import torch
from datasets.made_up import PAPERS, known_as, put

from vicinal.datasets import catalog, citations, storage
from vicinal.datasets.citations import Settings, load
from vicinal.graphs.shifts import spectral_radius


@pytest.fixture(scope="module")
def cora(real_data):
    return load(Settings(), 0, real_data)


@pytest.fixture(scope="module")
def planetoid(real_data):
    return load(Settings(split="planetoid", words="normalized"), 0, real_data)


def test_cora_has_the_published_counts(cora):
    assert cora.graph.num_nodes == 2708
    assert dict(cora.facts) == {"citations": 5429, "edges": 5278}
    assert cora.x.shape == (2708, 1433)
    assert cora.x.values().sum() == 49_216
    assert cora.x.values().unique().tolist() == [1.0]
    assert cora.target.bincount().tolist() == [298, 418, 818, 426, 217, 180, 351]


def test_cora_is_the_published_graph(cora):
    graph = cora.graph.to_networkx().to_undirected()
    assert graph.number_of_edges() == 5278
    assert nx.number_connected_components(graph) == 78
    assert max(degree for _, degree in graph.degree) == 168
    assert spectral_radius(cora.graph.to_scipy()) == pytest.approx(14.3909, abs=5e-5)


def test_the_pygcn_split_is_the_papers(cora):
    parts = [cora.train, cora.valid, cora.test]
    assert [len(part) for part in parts] == [140, 300, 1000]
    assert len(torch.cat(parts).unique()) == 1440
    assert cora.target[cora.train].bincount().tolist() == [14, 11, 41, 28, 21, 8, 17]


def test_the_planetoid_split_has_twenty_papers_of_each_subject(planetoid):
    assert planetoid.target[planetoid.train].bincount().tolist() == [20] * 7
    assert [len(planetoid.valid), len(planetoid.test)] == [500, 1000]


def test_normalised_words_sum_to_one(planetoid):
    totals = planetoid.x.to_dense().sum(1)
    torch.testing.assert_close(totals, torch.ones(2708))


def test_rows_of_npz_are_lines_of_the_text(real_data, cora):
    """An independent reading of the same papers."""
    with np.load(real_data / "cora" / "cora.npz", allow_pickle=False) as arrays:
        assert cora.target.tolist() == arrays["y"].tolist()
        assert cora.x.indices()[1].tolist() == arrays["x_indices"].tolist()
        ours = {tuple(sorted(edge)) for edge in cora.graph.to_edges()[0].T.tolist()}
        assert ours == {tuple(edge) for edge in arrays["edges_undirected"].tolist()}


@pytest.mark.parametrize("packed", [False, True])
def test_made_up_papers_are_read_as_written(made_up, tmp_path, packed):
    task = load(Settings(), 0, put(tmp_path / "data", made_up, packed))
    papers = torch.arange(PAPERS)
    assert task.x.to_dense().tolist() == torch.eye(3)[papers % 3].tolist()
    assert task.target.tolist() == (papers % 2).tolist()
    assert task.graph.num_edges == 2 * (PAPERS - 1)
    assert task.checksum == catalog.checksum("cora")


def test_the_variable_is_asked_after_the_folder(made_up, tmp_path, monkeypatch):
    monkeypatch.setenv("VICINAL_DATA", str(put(tmp_path / "variable", made_up)))
    assert load(Settings(), 0, tmp_path / "empty").graph.num_nodes == PAPERS


@pytest.mark.parametrize(
    ("file", "spoil"),
    [
        ("cora.content", lambda content: content[:-40]),
        ("cora.content", lambda content: content.replace(b"\t1\t", b"\tnan\t", 1)),
        ("cora.content", lambda content: content + content[:20]),
        ("cora.cites", lambda content: content.replace(b"14", b"21", 1)),
        ("cora.cites", lambda content: b""),
    ],
)
def test_an_edited_file_is_refused(made_up, tmp_path, file, spoil):
    folder = put(tmp_path / "data", made_up | {file: spoil(made_up[file])})
    with pytest.raises(ValueError, match=rf"{file}: must be the published {file}"):
        load(Settings(), 0, folder)


def test_a_truncated_packed_file_is_refused(made_up, tmp_path):
    folder = put(tmp_path / "data", made_up, packed=True)
    path = folder / "cora" / "cora.content.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(
        ValueError, match=r"cora.content.gz: must be readable and whole"
    ):
        load(Settings(), 0, folder)


def test_a_file_that_unpacks_without_end_is_not_unpacked(made_up, tmp_path):
    bomb = {"cora.content": bytes(50_000_000)}
    folder = put(tmp_path / "data", made_up | bomb, packed=True)
    with pytest.raises(ValueError, match=r"got over \d+ bytes"):
        load(Settings(), 0, folder)


def test_without_npz_the_planetoid_split_says_what_is_missing(made_up, tmp_path):
    folder = put(tmp_path / "data", made_up)
    with pytest.raises(FileNotFoundError, match=r"`cora.npz` of Cora .* must lie in"):
        load(Settings(split="planetoid"), 0, folder)


def npz(**parts):
    file = io.BytesIO()
    np.savez(file, **{f"planetoid_{name}": part for name, part in parts.items()})
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no archive", "must hold the Planetoid split"),
        (npz(train=np.arange(3)), "must hold the Planetoid split"),
        (npz(train=np.array([{}]), val=[1], test=[2]), "must hold the Planetoid split"),
        (npz(train=[0.5, np.nan], val=[1], test=[2]), "must list papers by number"),
        (npz(train=[0, 1], val=[1], test=[2]), "must be disjoint"),
        (npz(train=[0], val=[1], test=[9999]), r"must be in 0\.\.1499"),
    ],
)
def test_a_wrong_split_is_refused(made_up, tmp_path, monkeypatch, content, sentence):
    folder = put(tmp_path / "data", made_up | {"cora.npz": content})
    known = (*catalog.CATALOG["cora"].files[:2], known_as("cora.npz", content))
    cora = dataclasses.replace(catalog.CATALOG["cora"], files=known)
    monkeypatch.setitem(catalog.CATALOG, "cora", cora)
    with pytest.raises(ValueError, match=sentence):
        load(Settings(split="planetoid"), 0, folder)


def test_the_checksum_needs_no_data():
    given = citations.Settings()
    required = citations.SOURCE.checksum(given, None)
    assert required == catalog.checksum("cora")
    planetoid = citations.Settings(split="planetoid")
    assert citations.SOURCE.checksum(planetoid, None) != required
    assert storage.places("cora") == [storage.cache_folder("cora")]
