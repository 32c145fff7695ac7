"""GNN: counts of the paper, symmetry, readouts, activations, dropout, seeds."""

import copy

import pytest
import torch
from torch import nn

import vicinal as vc
from vicinal.functional import local_median
from vicinal.nn import (
    GNN,
    GraphFilter,
    MaxActivation,
    MeanActivation,
    MedianActivation,
    NodeReadout,
    Pointwise,
    RankActivation,
    SignalReadout,
)

LOCAL = ["median", "max", "mean"]
POINTWISE = ["relu", "prelu", "tanh", "identity"]


@pytest.fixture
def graph():
    """A random directed graph with self loops and weights of both signs."""
    generator = torch.Generator().manual_seed(3)
    weight = torch.randn(15, 15, generator=generator, dtype=torch.float64)
    kept = torch.rand(15, 15, generator=generator) < 0.2
    return vc.Graph.from_dense(weight * kept)


def count(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


def convolution(**settings):
    """Parameters of the paper's one layer: 1 to 32 features, 5 taps."""
    model = GNN(1, [32], 10, taps=5, **{"bias": False, **settings})
    return count(model.filters, model.activations)


def test_the_paper_counts_160_162_163_224():
    assert convolution(activation="relu") == 160
    for name in ("median", "max"):
        assert convolution(activation=name, hops=0) == 160
        assert convolution(activation=name, hops=1, shared=True) == 162
        assert convolution(activation=name, hops=2, shared=True) == 163
        assert convolution(activation=name, hops=1) == 160 + 32 * 2 == 224
    assert convolution(activation="relu", bias=True) == 160 + 32


@pytest.mark.parametrize(("num_nodes", "expected"), [(943, 150_885), (1682, 269_125)])
def test_the_recommender_readouts_count_as_in_the_paper(num_nodes, expected):
    model = GNN(1, [32], 5, readout="signal", num_nodes=num_nodes)
    assert count(model.readout) == expected


def test_the_cora_models_count_as_in_the_paper():
    single = GNN(1433, [16], 7, taps=5, activation="relu", bias=False)
    deep = GNN(1433, [16] * 4, 7, taps=2, activation="relu", bias=False)
    assert count(single.filters) == 114_640
    assert count(deep.filters) == 47_392
    assert count(single.readout) == count(deep.readout) == 119


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("name", [*LOCAL, *POINTWISE])
def test_node_models_are_permutation_equivariant(name, shared, graph):
    model = GNN(2, [4, 3], 5, activation=name, hops=2, shared=shared, initial="uniform")
    vc.testing.assert_permutation_equivariant(
        model, graph, features=2, seed=1, tolerance=1e-12
    )


def test_the_permutation_tested_is_no_involution(graph):
    generator = torch.Generator().manual_seed(1)
    torch.randn(3, 15, 2, generator=generator, dtype=torch.float64)
    order = torch.randperm(15, generator=generator)
    assert not order[order].equal(torch.arange(15))


def test_a_signal_readout_is_equivariant_only_with_permuted_columns(graph):
    model = GNN(1, [4, 3], 6, readout="signal", num_nodes=15).double()
    x = torch.randn(2, 15, 1, dtype=torch.float64)
    order = torch.randperm(15)
    expected, renamed = model(x, graph), graph.permute(order)
    assert (model(x[:, order], renamed) - expected).abs().max() > 1e-3
    columns = model.readout.linear.weight.data.view(6, 15, 3)
    model.readout.linear.weight.data = columns[:, order].flatten(1)
    found = model(x[:, order], renamed)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "module",
    [
        MedianActivation(2, 2),
        MaxActivation(2),
        MeanActivation(2),
        RankActivation(0.3, 2),
        GraphFilter(2, 3, taps=3),
        Pointwise(nn.Tanh()),
    ],
    ids=lambda module: type(module).__name__,
)
def test_every_module_is_permutation_equivariant(module, graph):
    vc.testing.assert_permutation_equivariant(module, graph, features=2)


def test_readouts_are_linear_layers():
    x = torch.randn(2, 5, 3)
    node, signal = NodeReadout(3, 4), SignalReadout(5, 3, 4)
    assert node(x).shape == (2, 5, 4)
    assert node(x)[1, 2].allclose(node.linear(x[1, 2]))
    assert signal(x).shape == (2, 4)
    expected = x[1].flatten() @ signal.linear.weight.T + signal.linear.bias
    torch.testing.assert_close(signal(x)[1], expected)
    assert signal(x[0]).shape == (4,)


def test_a_layer_filters_then_activates(graph):
    model = GNN(2, [3, 4], 1, activation="median", taps=2).double()
    x = torch.randn(15, 2, dtype=torch.float64)
    (first, second), weights = model.filters, [a.weight for a in model.activations]
    u = first(x, graph)
    u = weights[0][0] * u + weights[0][1] * local_median(u, graph)[0]
    u = second(u, graph)
    u = weights[1][0] * u + weights[1][1] * local_median(u, graph)[0]
    torch.testing.assert_close(model(x, graph), model.readout(u))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("relu", torch.relu),
        ("tanh", torch.tanh),
        ("identity", lambda u: u),
        (nn.GELU(), nn.functional.gelu),
        (RankActivation(0.0, hops=0), torch.relu),
    ],
)
def test_activations_by_name_and_by_module(name, function, graph):
    model = GNN(2, [3], 1, activation=name).double()
    x = torch.randn(15, 2, dtype=torch.float64)
    expected = model.readout(function(model.filters[0](x, graph)))
    assert model(x, graph).equal(expected)


def test_a_given_module_is_copied_for_every_layer():
    given = MedianActivation(2, initial="uniform")
    model = GNN(1, [3, 3], 1, activation=given)
    first, second = model.activations
    assert len({id(given.weight), id(first.weight), id(second.weight)}) == 3
    assert first.weight.equal(given.weight)
    assert (
        len(list(GNN(1, [3, 3], 1, activation="prelu").activations.parameters())) == 2
    )


def test_dropout_acts_in_training_only(graph):
    model = GNN(1, [64], 1, dropout=0.5)
    x = torch.randn(4, 15, 1)
    seen = []
    model.readout.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    model(x, graph)
    model.eval()(x, graph)
    assert (seen[0] == 0).double().mean().item() == pytest.approx(0.5, abs=0.05)
    kept = seen[0] != 0
    torch.testing.assert_close(seen[0][kept], 2 * seen[1][kept])


def train(seed, graph):
    torch.manual_seed(seed)
    model = GNN(1, [8], 3, hops=2, dropout=0.3, readout="signal", num_nodes=15)
    optimiser = torch.optim.Adam(model.parameters())
    for _ in range(5):
        optimiser.zero_grad()
        loss = model(torch.randn(4, 15, 1), graph).square().mean()
        loss.backward()
        optimiser.step()
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def test_the_same_seed_gives_identical_numbers(graph):
    first = train(1, graph)
    assert train(1, graph).equal(first)
    assert not train(2, graph).equal(first)


@pytest.mark.parametrize("name", [*LOCAL, *POINTWISE])
def test_every_parameter_learns(name, graph):
    model = GNN(2, [3, 3], 2, activation=name, hops=2, initial="uniform")
    model(torch.randn(4, 15, 2), graph).square().sum().backward()
    for label, parameter in model.named_parameters():
        assert parameter.grad is not None, label
        assert parameter.grad.abs().sum() > 0, label


def test_shifted_inputs_serve_the_first_layer(graph):
    model = GNN(2, [3, 3], 2).double()
    x = torch.randn(15, 2, dtype=torch.float64)
    shifted = model.filters[0].shifted(x, graph)
    torch.testing.assert_close(model(shifted, graph), model(x, graph))


def test_modules_behave_as_torch_users_expect(graph, tmp_path):
    model = GNN(2, [3], 2, initial="uniform")
    x = torch.randn(15, 2)
    torch.save(model.state_dict(), tmp_path / "weights.pt")
    other = GNN(2, [3], 2)
    other.load_state_dict(torch.load(tmp_path / "weights.pt", weights_only=True))
    assert other(x, graph).equal(model(x, graph))
    assert copy.deepcopy(model)(x, graph).equal(model(x, graph))
    assert model.double()(x.double(), graph).dtype == torch.float64
    for words in ("GraphFilter(2, 3, taps=5", "MedianActivation(hops=1, features=3)"):
        assert words in repr(model)
    assert all(p.is_meta for p in model.to("meta").parameters())
