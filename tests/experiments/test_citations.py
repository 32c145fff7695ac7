"""The citation experiments: what they set is what the paper and its rivals set."""

import pytest
import torch

from vicinal.datasets.task import Task
from vicinal.experiments import config, models
from vicinal.graphs import erdos_renyi

WORDS, SUBJECTS = 1433, 7


@pytest.fixture(scope="module")
def like_cora():
    """A small graph with the words and subjects of Cora."""
    graph = erdos_renyi(12, 0.4, seed=0)
    target = torch.arange(12) % SUBJECTS
    x = torch.eye(12, WORDS).to_sparse()
    parts = torch.arange(12).split([6, 3, 3])
    return Task(graph, x, target, *parts, unit="node", num_outputs=SUBJECTS)


def cells(name="citations"):
    """The first cell of every block, by the part of its name that tells the model."""
    found = config.blocks(config.find(name))
    return {
        block.name.removeprefix("Cora, pygcn split: "): block.cells[0]
        for block in found
    }


@pytest.mark.parametrize(
    ("block", "convolution", "readout"),
    [
        ("ReLU, one layer", 1433 * 16 * 5, 119),  # 114,640
        ("ReLU, four layers", 1433 * 16 * 2 + 3 * 16 * 16 * 2, 119),  # 47,392
        ("local activations", 1433 * 16 * 5 + 16 * 2, 119),
        ("no activation", 1433 * 16 * 5, 119),
        ("ReLU with more taps", 1433 * 16 * 6, 119),
        ("GCN", 1433 * 16 + 16 + 16 * 7 + 7, 0),
        ("SGC", 1433 * 7 + 7, 0),
        ("APPNP", 1433 * 64 + 64 * 7, 0),
    ],
)
def test_parameters_are_counted_as_in_the_paper(like_cora, block, convolution, readout):
    model = models.build(cells()[block].model, like_cora)
    counts = models.parameter_counts(model)
    assert counts["convolution"] == convolution
    assert counts["readout"] == readout


@pytest.mark.parametrize("name", ["citations", "citations-variants"])
def test_every_cell_builds_and_answers(like_cora, name):
    for block, cell in cells(name).items():
        model = models.build(cell.model, like_cora)
        answer = model(models.fixed_inputs(model, like_cora), like_cora.graph)
        assert answer.shape == (12, SUBJECTS), block


@pytest.mark.parametrize("name", ["citations", "citations-variants"])
def test_every_cell_has_twenty_seeds(name):
    for block in config.blocks(config.find(name)):
        seeds = {}
        for cell in block.cells:
            seeds.setdefault(cell.config_hash, set()).add(cell.seed)
        assert {len(own) for own in seeds.values()} == {20}, block.name


def test_the_papers_cells_are_the_papers():
    settings = cells()["ReLU, one layer"].settings
    expected = {
        "split": "pygcn",
        "words": "raw",
        "shift": "adjacency",
        "scaled": True,
        "hidden": 16,
        "taps": 5,
        "layers": 1,
        "epochs": 150,
        "learning_rate": 0.005,
        "weight_decay": 0.0,
        "dropout": 0.0,
        "batch": 0,
    }
    assert {name: settings[name] for name in expected} == expected


def test_published_rows_are_cells_of_the_experiment():
    experiment = config.find("citations")
    ours = [c.settings for b in config.blocks(experiment) for c in b.cells]
    for row in experiment.published["rows"]:
        wanted = {k: v for k, v in row.items() if k != "value"}
        found = [s for s in ours if all(s[k] == v for k, v in wanted.items())]
        assert found, row
