"""The authorship experiments: their cells, baselines on made-up texts, real errors."""

from statistics import fmean

import pytest
from datasets.library import fill

from vicinal.datasets import TASKS, storage
from vicinal.experiments import config
from vicinal.experiments.cell import make_cell
from vicinal.experiments.run import run_cell

BASELINES = [
    "constant",
    "word-logistic",
    "linear-svm",
    "burrows-delta",
    "cosine-delta",
    "wan-entropy",
]


@pytest.fixture
def shelf(monkeypatch, tmp_path):
    monkeypatch.setattr(storage, "cache_folder", lambda name: tmp_path / "c" / name)
    return fill(tmp_path / "shelf", length=600)


def cell(shelf, seed=0, **changes):
    texts, words = str(shelf), str(shelf / "words.txt")
    given = {"task": "authorship", "author": "bea", "texts": texts, "words": words}
    return make_cell(given | {"excerpt": 30} | changes, seed, "test")


def error(row):
    return row.result["scores"]["error"]["last"]


@pytest.mark.parametrize("model", BASELINES[1:])
def test_a_baseline_tells_an_author_with_habits(shelf, model):
    row = run_cell(cell(shelf, model=model))
    assert error(row) < 0.4


def test_the_majority_is_half_wrong(shelf):
    assert error(run_cell(cell(shelf, model="constant"))) == 0.5


@pytest.mark.parametrize("activation", ["relu", "median"])
def test_a_network_learns(shelf, activation):
    hops = int(activation == "median")
    given = cell(shelf, activation=activation, hops=hops, batch=20, validation=0.25)
    result = run_cell(given).result
    curve = result["curves"]["train_loss"]
    assert curve[-1] < curve[0]
    assert len(result["curves"]["valid_error"]) == given.training.epochs
    assert result["data_facts"]["average_out_degree"] > 0


def test_the_network_of_one_split_is_kept_for_a_picture(shelf):
    given = cell(shelf, model="wan-entropy")
    network = run_cell(given).result["network"]
    task = TASKS[given.name].load(given.task, given.seed, None)
    names, own = network["words"], task.train[task.target[task.train] == 1]
    known = task.vocabulary
    assert names == [word for word in known if word in names]  # in the list's order
    follows = task.graph.to_dense().T  # A = W^T
    for i, row in enumerate(network["weights"]):
        places = [known.index(name) for name in names]
        expected = [float(follows[places[i], place]) for place in places]
        assert row == pytest.approx(expected, abs=1e-4)
    assert network["frequency"] == [
        float(task.counts[own][:, known.index(name)].sum()) for name in names
    ]
    assert "network" not in run_cell(cell(shelf, seed=1, model="wan-entropy")).result


def test_stylometry_is_for_texts(shelf):
    given = {
        "task": "source-localization",
        "model": "burrows-delta",
        "samples": [9, 1, 2],
    }
    with pytest.raises(
        ValueError,
        match=r"must be 'authorship' for 'burrows-delta'.*got 'source-loc",
    ):
        run_cell(make_cell(given, 0, "test"))


def test_ten_splits_of_three_authors():
    blocks = config.blocks(config.find("authorship"))
    random = [b for b in blocks if b.name.startswith("Random splits")]
    cells = [cell for block in random for cell in block.cells]
    assert {cell.task.author for cell in cells} == {
        "charlotte_bronte",
        "bronte",
        "austen",
    }
    assert {cell.seed for cell in cells} == set(range(10))
    assert {cell.model.model for cell in cells} - {"gnn"} == set(BASELINES)
    networks = [cell for cell in cells if cell.model.model == "gnn"]
    assert {cell.training.epochs for cell in networks} == {25}
    assert {cell.training.batch for cell in networks} == {20}
    local = {(c.model.activation, c.model.hops) for c in networks if c.model.hops}
    assert local == {(n, k) for n in ("max", "median", "mean") for k in (1, 2, 3)}


def test_every_kind_of_network_has_the_same_budget():
    candidates = {}
    for block in config.blocks(config.find("authorship-tuned")):
        for found in block.cells:
            if found.model.model == "gnn":
                kind = (found.model.activation, found.task.author, found.seed)
                candidates.setdefault(kind, set()).add(found.config_hash)
                assert found.task.validation == 0.25
    assert {len(found) for found in candidates.values()} == {16}
    assert {kind for kind, _, _ in candidates} == {
        "relu", "max", "median", "mean", "identity"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("author", "most"),
    [("austen", 0.03), ("charlotte_bronte", 0.085), ("bronte", 0.08)],
)
def test_logistic_regression_is_as_strong_as_it_is_known_to_be(
    real_novels, monkeypatch, tmp_path_factory, author, most
):
    folder = tmp_path_factory.getbasetemp() / "novels-cache"
    monkeypatch.setattr(storage, "cache_folder", lambda name: folder / name)
    given = {"task": "authorship", "author": author, "model": "word-logistic"}
    rows = [run_cell(make_cell(given, s, "test"), real_novels) for s in range(4)]
    assert 0.0 < fmean(map(error, rows)) < most
