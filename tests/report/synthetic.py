"""Rows in the real format, with scores that a test decides."""

import random

from vicinal.experiments.cell import RESULTS_VERSION
from vicinal.experiments.config import Experiment, blocks
from vicinal.experiments.row import Row


def row(cell, score, metric="accuracy", data=""):
    """The row that a cell would have given, had it scored so."""
    kinds = {"last": score, "last_mean": score, "best": score}
    epochs = cell.training.epochs
    falling = [3.0 * 0.9**epoch for epoch in range(epochs)]
    hops = cell.model.hops
    result = {
        "scores": {metric: kinds},
        "curves": {"train_loss": falling, "valid_loss": falling},
        "parameters": {"total": 3372, "readout": 3210, "convolution": 162},
        "hop_weights": [[1 / (hops + 1)] * (hops + 1)] if hops else [],
        "seconds": 2.0,
        "load_seconds": 0.1,
        "data_facts": {"mean degree": 39.6},
        "library": "0.1.0",
        "torch": "2.13.0",
        "kernels": "native",
        "machine": "x86_64 2 cores",
    }
    key = (cell.config_hash, cell.seed, data, RESULTS_VERSION)
    return Row(*key, cell.changed, result)


def rows(experiment, score, quick=False, **options):
    """A row for every cell; ``score`` maps a cell to a number."""
    cells = {
        (cell.config_hash, cell.seed): cell
        for block in blocks(experiment, quick)
        for cell in block.cells
    }
    return [row(cell, score(cell), **options) for cell in cells.values()]


def plausible(cell):
    """Scores that differ by model, with noise that a seed's models share in part."""
    shared = random.Random(cell.seed).gauss(0, 0.02)
    own = random.Random(f"{cell.config_hash}{cell.seed}").gauss(0, 0.01)
    gain = {"relu": 0.0, "max": 0.08, "median": 0.1, "mean": 0.09, "identity": 0.06}
    reach = 0.012 * max(0, cell.model.hops - 1)
    gained = gain.get(cell.model.activation, 0.03)
    family = -0.12 if cell.settings.get("graph") == "geometric" else 0.0
    return min(0.999, 0.8 + gained - reach + family + shared + own)


def experiment(**changes):
    """A small experiment: ReLU and two local activations on two graphs."""
    given = {
        "name": "small",
        "title": "Small",
        "section": "",
        "summary": "For tests.",
        "seeds": 4,
        "run": {"task": "source-localization"},
        "quick": {"seeds": 2, "epochs": 2},
        "grid": [
            {"name": "hops: ReLU", "activation": "relu"},
            {"name": "hops", "activation": ["max", "median"], "hops": [1, 2, 3]},
        ],
    }
    return Experiment(**given | changes)
