"""Modules refuse what they cannot mean: name, rule, value, remedy."""

import math

import pytest
import torch

from vicinal.nn import (
    GNN,
    GraphFilter,
    LocalActivation,
    MaxActivation,
    MeanActivation,
    MedianActivation,
    NodeReadout,
    RankActivation,
    SignalReadout,
)


@pytest.fixture(params=["median", "max", "mean", "rank"])
def activation(request):
    """How to make the activation."""
    made = {
        "median": MedianActivation,
        "max": MaxActivation,
        "mean": MeanActivation,
        "rank": lambda *given, **kw: RankActivation(0.25, *given, **kw),
    }
    return made[request.param]


@pytest.fixture
def x():
    return torch.randn(2, 12, 3)


@pytest.mark.parametrize("hops", [-1, -5])
def test_negative_hops_are_refused(activation, hops):
    with pytest.raises(ValueError, match=f"`hops` must be at least 0, got {hops}"):
        activation(hops)


@pytest.mark.parametrize("hops", ["1", 1.5, None])
def test_hops_that_are_no_integer_are_refused(activation, hops):
    with pytest.raises(TypeError, match="`hops` must be an integer, got"):
        activation(hops)


@pytest.mark.parametrize("features", [0, -1, "3", 2.0])
def test_features_that_are_no_count_are_refused(features):
    with pytest.raises((TypeError, ValueError), match="`features` must be"):
        MedianActivation(1, features)


@pytest.mark.parametrize("initial", ["zeros", None])
def test_an_unknown_start_is_refused(activation, initial):
    with pytest.raises(ValueError, match="`initial` must be 'mean' or 'uniform', got"):
        activation(1, initial=initial)


@pytest.mark.parametrize("q", [2.0, -1, math.nan])
def test_a_rank_outside_the_unit_interval_is_refused(q):
    with pytest.raises(ValueError, match=r"`q` must be in the range \[0, 1\], got"):
        RankActivation(q)


def test_other_features_than_announced_are_refused(activation, x, digraph):
    with pytest.raises(ValueError, match="must have 4 features, got 3; pass features="):
        activation(1, features=4)(x, digraph)


@pytest.mark.parametrize("hops", [0, 1])
@pytest.mark.parametrize("features", [None, 3])
def test_a_signal_that_is_no_tensor_is_refused(hops, features, digraph):
    with pytest.raises(TypeError, match="`x` must be a tensor, got list"):
        MedianActivation(hops, features)([[1.0]] * 12, digraph)


def test_other_hops_than_announced_are_refused(activation, x, digraph):
    with pytest.raises(ValueError, match=r"must have shape \(4,\) .* got \(3,\)"):
        activation(2)(x, digraph.neighborhoods(3))


def test_a_new_activation_defines_its_local_terms(x, digraph):
    class Own(LocalActivation):
        pass

    with pytest.raises(TypeError, match="Own must define `local`"):
        Own()(x, digraph)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden": []}, "`hidden` must list the features .* got \\[\\]"),
        ({"hidden": 32}, "`hidden` must list the features .* got 32"),
        ({"hidden": "32"}, "`hidden` must list the features .* got '32'"),
        ({"hidden": [0]}, "must be at least 1, got 0"),
        ({"in_features": 0}, "`in_features` must be at least 1, got 0"),
        ({"out_features": 0}, "`out_features` must be at least 1, got 0"),
        ({"taps": 0}, "`taps` must be at least 1, got 0"),
        ({"hops": -1}, "`hops` must be at least 0, got -1"),
        ({"activation": "sigmoid"}, "`activation` must be .* got 'sigmoid'"),
        ({"readout": "graph"}, "`readout` must be 'signal' or 'node', got 'graph'"),
        ({"readout": "signal"}, "`num_nodes` must be given .* got None"),
        ({"shift": "A"}, "`shift` must be one of .* got 'A'"),
        ({"initial": "ones"}, "`initial` must be 'mean' or 'uniform', got 'ones'"),
        ({"dropout": 1.5}, "`dropout` must be in the range \\[0, 1\\], got 1.5"),
        ({"dropout": math.nan}, "`dropout` must be in the range .* got nan"),
        ({"reach": "far"}, "`reach` must be one of .* got 'far'"),
        ({"reach": "far", "activation": "relu"}, "`reach` must be one of .* got 'far'"),
        ({"hops": -1, "activation": "relu"}, "`hops` must be at least 0, got -1"),
        ({"empty": "zero"}, "`empty` must be 'raise', 'self' or a number, got 'zero'"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        GNN(**{"in_features": 1, "hidden": [2], "out_features": 1, **settings})


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("in_features", "1"), ("out_features", 1.0), ("taps", "5"), ("hops", "1")],
)
def test_settings_that_are_no_integers_are_refused(name, wrong):
    settings = {"in_features": 1, "hidden": [2], "out_features": 1, name: wrong}
    with pytest.raises(TypeError, match=f"`{name}` must be an integer, got"):
        GNN(**settings)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("dropout", "0.5"),
        ("hidden", ["32"]),
        ("bias", "no"),
        ("scaled", 1),
        ("shared", "yes"),
        ("shared", 0.5),
    ],
)
def test_strings_for_numbers_are_refused_by_name(name, wrong):
    settings = {"in_features": 1, "hidden": [2], "out_features": 1, name: wrong}
    with pytest.raises((TypeError, ValueError), match=f"`{name}` must"):
        GNN(**settings)


def test_a_signal_readout_refuses_another_graph(digraph):
    model = GNN(1, [2], 1, readout="signal", num_nodes=14)
    with pytest.raises(
        ValueError, match=r"`x` must have shape \(..., 14, 2\), got \(12"
    ):
        model(torch.randn(12, 1), digraph)


def test_readouts_refuse_signals_that_do_not_fit():
    for x in (torch.randn(3), torch.randn(5, 3), torch.randn(4, 2)):
        with pytest.raises(ValueError, match=r"`x` must have shape \(..., 4, 3\), got"):
            SignalReadout(4, 3, 1)(x)
    for x in (torch.randn(3), torch.randn(5, 2)):
        with pytest.raises(ValueError, match=r"`x` must have shape \(..., nodes, 3\)"):
            NodeReadout(3, 1)(x)


@pytest.mark.parametrize("reach", ["far", None, 2])
def test_an_unknown_reach_is_refused(activation, reach):
    with pytest.raises(ValueError, match="`reach` must be one of"):
        activation(1, reach=reach)


@pytest.mark.parametrize("empty", ["zero", None, True])
def test_an_unknown_rule_for_empty_neighbourhoods_is_refused(activation, empty):
    with pytest.raises(ValueError, match="`empty` must be 'raise', 'self' or a number"):
        activation(1, empty=empty)


def test_an_unknown_median_is_refused():
    with pytest.raises(ValueError, match="`convention` must be 'upper' or 'low"):
        MedianActivation(1, convention="middle")


def test_a_pointwise_function_is_a_function(activation):
    with pytest.raises(TypeError, match=r"`pointwise` must be a function .*'relu'"):
        activation(1, pointwise="relu")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_module_on_another_device_is_refused(activation, dtype, x, digraph):
    words = r"`weight` must be on the device of `x` \(cpu\), got meta; move the module"
    for module in (activation(2), activation(2, features=3), GraphFilter(3, 2, 2)):
        with pytest.raises(ValueError, match=words):
            module.to(dtype).to("meta")(x.to(dtype), digraph)


@pytest.mark.parametrize("graph", ["graph", None, torch.eye(3)])
def test_only_graphs_are_prepared(activation, graph):
    for module in (activation(1), GraphFilter(1, 1, 1), GNN(1, [2], 1)):
        with pytest.raises(TypeError, match=r"`graph` must be a vicinal.Graph, got "):
            module.prepare(graph)
