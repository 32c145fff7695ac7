import inspect
from dataclasses import replace

import pytest
from report.synthetic import experiment, plausible, rows

from vicinal.baselines import logistic_regression
from vicinal.datasets import catalog
from vicinal.experiments.estimators import ESTIMATORS
from vicinal.report import circumstances as circumstances_
from vicinal.report.circumstances import circumstances
from vicinal.report.results import Index, study


def told(data="", change=lambda row: row, **changes):
    small = experiment(**changes)
    given = [change(row) for row in rows(small, plausible, data=data)]
    (section,) = study(small, Index(given)).sections
    return dict(circumstances(section))


def test_hours_are_the_sum_of_all_runs():
    def slow(row):
        return replace(row, result=row.result | {"seconds": 450.0})

    assert told(change=slow)["Computing time"].startswith("3.50 core hours for 28 runs")
    assert told()["Computing time"].startswith("56 s for 28 runs")


def test_seeds():
    assert told()["Seeds"].startswith("4 a configuration, seeds 0 to 3;")


def test_common_settings_are_told_and_varying_ones_are_not():
    found = told(run={"task": "source-localization", "dropout": 0.5})
    assert "dropout 0.5" in found["Network and training"]
    assert "activation" not in found["Network and training"]
    assert "sources 10" in found["Task"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "drawn from the seed"),
        (catalog.checksum("cora"), "Collective classification in network data"),
        ("f" * 64, "catalogue lacks"),
    ],
)
def test_data_has_terms_and_a_citation(data, words):
    assert words in told(data)["Data"]
    if data == catalog.checksum("cora"):
        assert catalog.entry("cora").terms in told(data)["Data"]


def test_networks_of_one_name_and_several_sizes_are_all_told():
    def sized(row):
        wide = row.settings.get("sources", 10) == 20
        return replace(row, result=row.result | {"parameters": {"total": 9 + wide}})

    grid = [{"name": "all", "sources": [10, 20], "activation": ["relu", "identity"]}]
    told_sizes = told(change=sized, grid=grid)["Trainable parameters"]
    assert told_sizes == "ReLU, identity: 9; ReLU, identity: 10"


def test_several_machines_are_all_named():
    def elsewhere(row):
        return replace(row, result=row.result | {"machine": f"box {row.seed % 2}"})

    assert told(change=elsewhere)["Hardware"] == "box 0; box 1"


def test_rivals_are_told_with_what_they_read():
    grid = [
        {"name": "all: ReLU", "activation": "relu"},
        {"name": "all: GCN", "model": "gcn", "words": "normalized", "epochs": 9},
        {"name": "all: SGC", "model": "sgc", "taps": 3},
    ]
    found = told(run={"task": "citations", "words": "raw"}, grid=grid)
    gcn = "GCN: words normalized, hidden 32, dropout 0, shift adjacency, epochs 9, "
    assert gcn in found["Network and training"]
    assert "SGC: taps 3, shift adjacency, epochs 20" in found["Network and training"]


def test_parameters_of_every_network_are_told():
    assert told()["Trainable parameters"].endswith(": 3,372")


def test_rivals_tell_what_all_their_runs_share():
    grid = [
        {"name": "all: ReLU", "activation": "relu", "share": [0.0, 0.3]},
        {"name": "all: MLP", "model": "mlp", "clip": True, "share": [0.0, 0.3]},
        {"name": "all: fixed", "model": "logistic-regression"},
    ]
    run = {"task": "source-localization", "noise": "impulsive", "dropout": 0.5}
    found = told(run=run, grid=grid)["Network and training"]
    assert "clipped, MLP: clip yes, dropout 0.5, epochs 20" in found
    assert "logistic regression: standardised inputs, L-BFGS, C 10000" in found
    assert "share 0" not in found


def test_what_is_told_of_logistic_regression_is_its_default():
    default = inspect.signature(logistic_regression).parameters["strength"].default
    assert f"C {default:.0f}," in circumstances_._FIXED["logistic-regression"]


def test_what_is_fixed_is_told_of_estimators_alone():
    assert set(circumstances_._FIXED) <= set(ESTIMATORS)
