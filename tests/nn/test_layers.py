"""Every layer may have its own shift, hops and neighbourhoods (Remark 2)."""

import pytest
import torch
from torch import nn

import vicinal as vc
from vicinal.functional import graph_filter, local_max, local_median
from vicinal.nn import GNN, MaxActivation, MedianActivation, Pointwise

REACH = {
    "within": lambda graph, hops: graph.neighborhoods(hops),
    "exact": lambda graph, hops: graph.neighborhoods(hops, exact=True),
    "component": lambda graph, hops: graph.whole_component(hops),
}


@pytest.fixture
def graph():
    """A weighted digraph where everybody hears somebody."""
    edges = [(i, (i + 1) % 9) for i in range(9)] + [(0, 4), (4, 2), (7, 1)]
    return vc.Graph.from_edges(edges, 9, torch.linspace(-1, 2, 12))


@pytest.fixture
def x():
    return torch.randn(3, 9, 2, dtype=torch.float64)


@pytest.mark.parametrize("reach", REACH)
@pytest.mark.parametrize("name", ["median", "max", "mean"])
def test_a_named_activation_sees_the_neighbourhoods_asked_for(name, reach, graph, x):
    operator = getattr(vc.functional, f"local_{name}")
    model = GNN(2, [3], 1, activation=name, hops=3, reach=reach).double()
    u = model.filters[0](x, graph)
    around = REACH[reach](graph, 3)
    expected = (u + operator(u, around).sum(-3)) / 4
    torch.testing.assert_close(model.activations[0](u, graph), expected)


def test_the_three_kinds_differ(graph, x):
    found = [MaxActivation(2, reach=reach).double()(x, graph) for reach in REACH]
    assert not found[0].equal(found[1])
    assert not found[0].equal(found[2])


def test_exact_neighbourhoods_are_the_support_of_the_weighted_adjacency(graph):
    power = graph.to_dense().double().abs()
    around = graph.neighborhoods(3, exact=True)
    for k in (1, 2, 3):
        support = torch.linalg.matrix_power(power, k) != 0
        for i in range(9):
            assert around.of(i, k).tolist() == support[i].nonzero().flatten().tolist()


def test_every_layer_has_its_own_settings(graph, x):
    model = GNN(
        2, [4, 3], 1, taps=[2, 3], shift=["self_loops", "laplacian"],
        activation=["median", "max"], hops=[2, 1], reach=["within", "exact"],
    ).double()  # fmt: skip
    first, second = model.filters
    assert (first.taps, second.taps) == (2, 3)
    operators = [
        graph.shift(name, dtype=torch.float64) for name in ("self_loops", "laplacian")
    ]
    u = graph_filter(x, operators[0], first.weight, first.bias)
    u = (u + local_median(u, graph, 2).sum(-3)) / 3
    u = graph_filter(u, operators[1], second.weight, second.bias)
    u = (u + local_max(u, graph.neighborhoods(1, exact=True)).sum(-3)) / 2
    torch.testing.assert_close(model(x, graph), model.readout(u))


def test_modules_may_be_listed_too(graph, x):
    listed = [nn.Tanh(), MedianActivation(1, convention="lower")]
    for given in (listed, tuple(listed), nn.ModuleList(listed)):
        model = GNN(2, [3, 3], 1, activation=given).double()
        assert isinstance(model.activations[0], Pointwise)
        assert model.activations[1].convention == "lower"
        assert model(x, graph).shape == (3, 9, 1)


def test_layers_of_all_kinds_are_permutation_equivariant(graph):
    model = GNN(
        2, [3, 3, 3], 1, shift=["adjacency", "laplacian", "symmetric_with_self_loops"],
        scaled=False, reach=list(REACH), activation=["median", "max", "mean"], hops=2,
    )  # fmt: skip
    positive = vc.Graph.from_edges(graph.to_edges()[0], 9)
    vc.testing.assert_permutation_equivariant(model, positive, features=2)


@pytest.mark.parametrize("name", ["taps", "shift", "activation", "hops", "reach"])
def test_a_list_must_have_one_for_each_layer(name):
    value = {"taps": 2, "shift": "adjacency", "activation": "max", "hops": 1}
    given = [value.get(name, "exact")] * 3
    words = f"`{name}` must be one for all layers or list 2, got 3"
    with pytest.raises(ValueError, match=words):
        GNN(1, [2, 2], 1, **{name: given})


@pytest.mark.parametrize("empty", ["self", 0.5])
@pytest.mark.parametrize("name", ["median", "max", "mean"])
def test_an_empty_neighbourhood_gives_what_was_asked(name, empty, chain):
    model = GNN(1, [2], 1, activation=name, reach="exact", empty=empty, scaled=False)
    u = torch.randn(3, 2)
    hears = {"self": u[0], 0.5: torch.full((2,), 0.5)}[empty]
    expected = (u + torch.stack([hears, u[0], u[1]])) / 2
    torch.testing.assert_close(model.activations[0](u, chain), expected)


@pytest.mark.parametrize("name", ["median", "max", "mean"])
def test_an_empty_neighbourhood_is_refused_by_default(name, chain):
    act = GNN(1, [2], 1, activation=name, reach="exact").activations[0]
    with pytest.raises(ValueError, match="must have no empty neighbourhood, got one"):
        act(torch.randn(3, 2), chain)


def test_a_network_is_prepared_layer_by_layer(graph):
    model = GNN(
        1, [2, 2, 2], 1, activation=["mean", "max", "median"], reach=list(REACH),
        hops=2, shift=["adjacency", "laplacian", "unweighted"],
    )  # fmt: skip
    x = torch.randn(9, 1)
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x, model.prepare(graph)), model(x, graph))


def test_preparing_leaves_running_statistics_alone(graph):
    class Norm(nn.BatchNorm1d):
        def forward(self, x):
            return super().forward(x.flatten(0, -2)).view_as(x)

    model = GNN(1, [2], 1, activation=Norm(2))
    model.prepare(graph)
    assert model.activations[0].module.num_batches_tracked == 0
