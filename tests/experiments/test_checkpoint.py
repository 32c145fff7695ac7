"""Trained parameters: written whole, read back, never by pickle."""

import json

import pytest
import torch

from vicinal.experiments import checkpoint
from vicinal.experiments.cell import make_cell
from vicinal.nn import GNN
from vicinal.training import History


@pytest.fixture
def cell():
    return make_cell({"task": "source-localization", "hops": 1}, 4, "here")


def network(seed):
    torch.manual_seed(seed)
    return GNN(1, [3], 2, taps=2)


def history(model):
    best = {name: value + 1 for name, value in model.state_dict().items()}
    return History(valid_loss=[0.5, 0.2, 0.3], best_state=best)


def test_last_and_best_parameters_come_back(tmp_path, cell):
    model, other = network(0), network(1)
    place = checkpoint.save(tmp_path, cell, model, history(model))
    facts = checkpoint.load(place, other)
    assert (facts["seed"], facts["best_epoch"], facts["settings"]) == (
        4, 1, cell.changed,
    )  # fmt: skip
    for name, value in model.state_dict().items():
        assert other.state_dict()[name].equal(value)
    checkpoint.load(place, other, which="best")
    for name, value in model.state_dict().items():
        assert other.state_dict()[name].equal(value + 1)


def test_a_second_run_replaces_the_first_one_whole(tmp_path, cell):
    old, new = network(0), network(1)
    place = checkpoint.save(tmp_path, cell, old, history(old))
    assert checkpoint.save(tmp_path, cell, new, History()) == place
    assert sorted(file.name for file in place.iterdir()) == [
        "cell.json",
        "last.safetensors",
    ]
    assert [file.name for file in tmp_path.iterdir()] == [place.name]


@pytest.mark.parametrize(
    ("which", "change", "sentence"),
    [
        ("worst", {}, "`which` must be 'last' or 'best', got 'worst'"),
        ("best", {}, "`place` must hold .*best.safetensors.*, got"),
        ("last", {"format": 9}, "`place` must hold a checkpoint of format 1, got 9"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, cell, which, change, sentence):
    place = checkpoint.save(tmp_path, cell, network(0), History())
    facts = json.loads((place / "cell.json").read_text()) | change
    (place / "cell.json").write_text(json.dumps(facts))
    with pytest.raises(ValueError, match=sentence):
        checkpoint.load(place, network(1), which)


def test_a_folder_without_a_checkpoint_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"`place` must hold cell.json, .* got none"):
        checkpoint.load(tmp_path, network(0))


@pytest.mark.parametrize(
    ("name", "content"),
    [("cell.json", b"{"), ("cell.json", b"[]"), ("last.safetensors", b"cut")],
)
def test_a_damaged_file_is_told(tmp_path, cell, name, content):
    place = checkpoint.save(tmp_path, cell, network(0), History())
    (place / name).write_bytes(content)
    with pytest.raises(ValueError, match="`place` must hold a whole checkpoint"):
        checkpoint.load(place, network(1))


def test_parameters_of_another_network_are_refused(tmp_path, cell):
    place = checkpoint.save(tmp_path, cell, network(0), History())
    with pytest.raises(ValueError, match="`model` must be of the checkpoint's shape"):
        checkpoint.load(place, torch.nn.Linear(7, 7))
