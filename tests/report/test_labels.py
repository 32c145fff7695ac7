import pytest

from vicinal.experiments.statistics import Summary
from vicinal.report import labels

NAN = float("nan")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "ReLU"),
        ({"activation": "max", "hops": 3}, "3-hop max"),
        (
            {"activation": "median", "hops": 1, "pointwise": "relu"},
            "ReLU of 1-hop median",
        ),
        ({"activation": "prelu"}, "PReLU"),
        ({"clip": True}, "clipped, ReLU"),
        ({"model": "mlp", "clip": True}, "clipped, MLP"),
        ({"model": "gcn"}, "GCN"),
        ({"model": "rating-gnn"}, "one GNN for all, ReLU"),
        (
            {"model": "rating-gnn", "activation": "identity"},
            "one GNN for all, identity",
        ),
        ({"model": "gcn", "activation": "median", "hops": 2}, "GCN, 2-hop median"),
    ],
)
def test_models_have_names(settings, name):
    assert labels.model(settings) == name


@pytest.mark.parametrize(
    ("value", "metric", "text"),
    [
        (0.93456, "accuracy", "93.5"),
        (-0.0651, "accuracy", "−6.5"),
        (-0.0001, "accuracy", "0.0"),
        (0.1234567, "mse", "0.1235"),
        (-9.312e-05, "rmse_argmax", "−0.0001"),
        (1.5, "loss", "1.500"),
        (NAN, "accuracy", "–"),
    ],
)
def test_numbers(value, metric, text):
    assert labels.number(value, metric) == text


def test_signs():
    assert labels.signed(0.01, "accuracy") == "+1.0"
    assert labels.signed(-0.01, "accuracy") == "−1.0"
    assert labels.signed(NAN, "accuracy") == "–"


def test_intervals():
    assert labels.interval(Summary(1, 0.5, NAN, NAN, NAN), "accuracy") == ""
    signed = labels.interval(Summary(2, 0, 0.1, -0.1, 0.2), "accuracy", sign=True)
    assert signed == "[−10.0, +20.0]"


def test_a_density_of_zero_is_the_papers():
    given = {"graph": "geometric", "density": 0}
    assert labels.effective(given)["density"] == 0.15
    assert labels.effective(given | {"density": 0.3})["density"] == 0.3
    assert labels.effective({"split": "pygcn"}) == {"split": "pygcn"}


def test_full_names_tell_apart_only_what_needs_it():
    relu = {"model": "gnn", "activation": "relu", "hops": 0, "taps": 5, "dropout": 0.0}
    gcn = relu | {"model": "gcn", "dropout": 0.5}
    names = labels.full_names([relu, relu | {"taps": 6}, gcn])
    assert names == ["ReLU, taps 5", "ReLU, taps 6", "GCN"]
