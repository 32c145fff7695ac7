"""What tells cells apart, and what must not change in silence."""

import pytest

from vicinal import datasets
from vicinal.experiments.cell import RESULTS_VERSION, make_cell
from vicinal.experiments.settings import ModelSettings, TrainingSettings

# The identity of a cell leaves defaults out: with another default, rows of old cells
# would pass for results of new ones. A setting that is new here needs a default that
# keeps what was; one that changes needs a higher RESULTS_VERSION.
DEFAULTS = {
    "model": {
        "model": "gnn",
        "activation": "relu",
        "hops": 0,
        "pointwise": "none",
        "layers": 1,
        "hidden": 32,
        "taps": 5,
        "bias": False,
        "shared": False,
        "initial": "mean",
        "convention": "upper",
        "neighborhoods": "within",
        "dropout": 0.0,
        "dropout_form": "elements",
        "shift": "adjacency",
        "second_shift": "none",
        "scaled": True,
    },
    "training": {
        "epochs": 20,
        "batch": 100,
        "learning_rate": 0.005,
        "weight_decay": 0.0,
        "schedule": "constant",
        "patience": 0,
        "precision": "float32",
    },
    "authorship": {
        "author": "charlotte_bronte",
        "texts": "",
        "words": "paper",
        "excerpt": 1000,
        "window": 10,
        "discount": 0.75,
        "cuts": True,
        "orientation": "transpose",
        "scaling": "raw",
        "split": "random80",
        "validation": 0.0,
        "exclude_sister": True,
    },
    "citations": {"split": "pygcn", "words": "raw"},
    "denoising": {
        "graph": "erdos-renyi",
        "num_nodes": 100,
        "density": 0.0,
        "connected": True,
        "noise": "none",
        "snr": 20.0,
        "tail": 2.0,
        "share": 0.05,
        "outlier_size": 10.0,
        "corrupted": "both",
        "clip": False,
        "input_scale": "none",
        "smoothing": 5,
        "samples": [2000, 200, 200],
    },
    "movie-ratings": {
        "targets": "users",
        "split": "random",
        "network": "rated",
        "validated": False,
    },
    "movies-items": {
        "target": 50,
        "split": "random",
        "common": 10,
        "strongest": 40,
        "signed": False,
        "visible": "train",
        "centered": False,
        "head": "classes",
        "validated": False,
    },
    "movies-users": {
        "target": 405,
        "split": "random",
        "common": 10,
        "strongest": 40,
        "signed": False,
        "visible": "train",
        "centered": False,
        "head": "classes",
        "validated": False,
    },
    "source-localization": {
        "graph": "erdos-renyi",
        "num_nodes": 100,
        "density": 0.0,
        "connected": True,
        "noise": "none",
        "snr": 20.0,
        "tail": 2.0,
        "share": 0.05,
        "outlier_size": 10.0,
        "corrupted": "both",
        "clip": False,
        "input_scale": "none",
        "sources": 10,
        "times": [1, 10],
        "held_out": [],
        "samples": [10000, 200, 200],
    },
}


def test_defaults_are_those_of_this_version_of_results():
    parts = {"model": ModelSettings, "training": TrainingSettings}
    parts |= {name: source.settings for name, source in datasets.TASKS.items()}
    now = {name: part().model_dump(mode="json") for name, part in parts.items()}
    assert RESULTS_VERSION == 2
    assert now == DEFAULTS


def test_a_default_that_is_written_out_is_the_same_cell():
    short = make_cell({"task": "citations"}, 0, "here")
    long = make_cell({"task": "citations", "hops": 0, "taps": 5}, 0, "here")
    assert short.config_hash == long.config_hash
    assert short.changed == {"task": "citations"}


def test_what_is_set_otherwise_is_another_cell():
    one, other = (
        make_cell({"task": "citations", "taps": taps}, 0, "here") for taps in (5, 6)
    )
    assert one.config_hash != other.config_hash


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"samples": [1000, 200]}, r"`samples` must list 3 values, got \[1000, 200\]"),
        ({"samples": [1000, 2.5, 3]}, "`samples.1` must be a whole number, got 2.5"),
        ({"held_out": 3}, "`held_out` must be a list, got 3"),
        ({"times": [5]}, r"`times` must list 2 values, got \[5\]"),
    ],
)
def test_lists_of_wrong_length_or_kind(changes, sentence):
    with pytest.raises(ValueError, match=f"here: {sentence}"):
        make_cell({"task": "source-localization"} | changes, 0, "here")
