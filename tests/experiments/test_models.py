"""Networks from settings: every setting reaches the network."""

import pytest
import torch

from vicinal import nn
from vicinal.baselines import MLP
from vicinal.datasets import denoising, source_localization
from vicinal.experiments.models import build, hop_weights, parameter_counts
from vicinal.experiments.settings import ModelSettings


@pytest.fixture(scope="module")
def task():
    settings = source_localization.Settings(
        num_nodes=20, graph="geometric", density=0.4, samples=(6, 2, 2)
    )
    return source_localization.load(settings, 0)


def built(task, **settings):
    torch.manual_seed(0)
    return build(ModelSettings(**settings), task)


def answers(task, **settings):
    model = built(task, **settings).eval()
    with torch.no_grad():
        return model(task.x, task.graph)


MEDIAN = {"activation": "median", "hops": 2}


@pytest.mark.parametrize(
    "changed",
    [
        {"pointwise": "relu"},
        {"neighborhoods": "exact"},
        {"neighborhoods": "component"},
        {"convention": "lower"},
        {"initial": "uniform"},
        {"shift": "laplacian"},
        {"scaled": False},
        {"bias": True},
        {"taps": 3},
        {"layers": 2},
        {"activation": "max"},
        {"activation": "mean"},
        {"activation": "maxout"},
        {"activation": "identity"},
        {"hops": 1},
    ],
)
def test_each_setting_changes_the_answer(task, changed):
    assert not answers(task, **MEDIAN).equal(answers(task, **MEDIAN | changed))


def test_prelu_starts_as_a_leaky_relu_and_is_trained(task):
    model = built(task, activation="prelu")
    assert parameter_counts(model)["convolution"] == 160 + 1


def test_parameter_counts_are_the_papers(task):
    counts = {
        hops: parameter_counts(
            built(task, activation="median", hops=hops, shared=True)
        )["convolution"]
        for hops in (1, 2)
    }
    assert counts == {1: 162, 2: 163}
    assert parameter_counts(built(task))["convolution"] == 160
    own = parameter_counts(built(task, activation="max", hops=1))
    assert own["convolution"] == 160 + 32 * 2
    assert own["readout"] == 20 * 32 * 10 + 10


def test_reach_pointwise_and_dropout_are_where_they_belong(task):
    model = built(
        task, **MEDIAN, neighborhoods="exact", pointwise="relu", dropout_form="nodes"
    )
    (activation,) = model.activations
    assert isinstance(activation, nn.MedianActivation)
    assert (activation.reach, activation.pointwise) == ("exact", torch.relu)
    assert model.dropout.form == "nodes"
    assert hop_weights(model) == [pytest.approx([1 / 3] * 3)]


def test_a_second_shift_is_that_of_the_second_layer(task):
    model = built(task, layers=3, second_shift="laplacian")
    shifts = [bank.shift for bank in model.filters]
    assert shifts == ["adjacency", "laplacian", "laplacian"]


def test_layers_of_uniform_weights_start_apart(task):
    model = built(task, **MEDIAN, layers=2, initial="uniform")
    one, two = (layer.weight for layer in model.activations)
    assert not one.equal(two)


def test_the_mlp_is_as_large_as_the_network(task):
    model = built(task, model="mlp")
    assert isinstance(model, MLP)
    size = parameter_counts(model)["total"]
    assert size == pytest.approx(parameter_counts(built(task))["total"], rel=0.01)


def test_the_mlp_answers_for_every_node():
    settings = denoising.Settings(num_nodes=9, graph="grid", samples=(4, 1, 1))
    small = denoising.load(settings, 0)
    assert answers(small, model="mlp").shape == (6, 9, 1)


def test_a_model_that_is_no_network_is_named(task):
    with pytest.raises(ValueError, match=r"`model` must be one of .* got 'bayes'"):
        built(task, model="bayes")
