"""Local activations: hop weights, their start, and how they behave as modules."""

import copy
import math

import pytest
import torch
from torch import nn

import vicinal as vc
from vicinal.functional import local_max, local_mean, local_median, local_rank
from vicinal.nn import (
    MaxActivation,
    MeanActivation,
    MedianActivation,
    RankActivation,
)

CLASSES = {
    "median": (MedianActivation, local_median),
    "max": (MaxActivation, local_max),
    "mean": (MeanActivation, local_mean),
    "rank": (
        lambda *given, **kw: RankActivation(0.25, *given, **kw),
        lambda x, graph, hops=1: local_rank(x, graph, 0.25, hops),
    ),
}


@pytest.fixture(params=CLASSES)
def activation(request):
    """How to make the activation, and the function it weighs."""
    return CLASSES[request.param]


@pytest.fixture
def x():
    return torch.randn(2, 12, 3)


def test_no_hops_are_exactly_relu_without_parameters(activation, x, digraph):
    act = activation[0](0)
    assert list(act.parameters()) == []
    assert act(x, digraph).equal(x.relu())
    assert act(x[0], digraph).equal(x[0].relu())
    x.requires_grad_()
    (found,) = torch.autograd.grad(act(x, digraph).sum(), x)
    assert found.equal((x > 0).float())


@pytest.mark.parametrize("features", [None, 3])
def test_the_first_weight_alone_is_the_identity(activation, features, x, digraph):
    act = activation[0](2, features)
    with torch.no_grad():
        act.weight.zero_()[0] = 1
    assert act(x, digraph).equal(x)


@pytest.mark.parametrize("features", [None, 3])
@pytest.mark.parametrize("k", [1, 2])
def test_one_weight_alone_is_the_operator(activation, features, k, x, digraph):
    make, operator = activation
    act = make(2, features)
    with torch.no_grad():
        act.weight.zero_()[k] = 1
    assert act(x, digraph).equal(operator(x, digraph, 2)[:, k - 1])


def test_weights_combine_the_hops(activation, x, digraph):
    make, operator = activation
    shared, each = make(2), make(2, 3)
    nn.init.normal_(shared.weight)
    nn.init.normal_(each.weight)
    terms = torch.cat([x.unsqueeze(1), operator(x, digraph, 2)], 1)
    expected = torch.einsum("k,bknf->bnf", shared.weight, terms)
    torch.testing.assert_close(shared(x, digraph), expected)
    expected = torch.einsum("kf,bknf->bnf", each.weight, terms)
    torch.testing.assert_close(each(x, digraph), expected)


def test_shared_weights_are_one_vector_and_others_one_per_feature(activation):
    assert activation[0](2).weight.shape == (3,)
    assert activation[0](2, features=5).weight.shape == (3, 5)


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_weights_start_as_the_mean_over_hops(activation, hops):
    weight = activation[0](hops, features=4).weight
    assert weight.tolist() == torch.full((hops + 1, 4), 1 / (hops + 1)).tolist()


@pytest.mark.parametrize("hops", [1, 2, 4])
def test_uniform_weights_fill_the_interval_of_the_authors(activation, hops):
    weight = activation[0](hops, features=20_000, initial="uniform").weight
    bound = 1 / math.sqrt(hops)
    assert weight.abs().max() <= bound
    assert weight.abs().max() > 0.99 * bound
    assert weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.02)
    opposite = (weight[0] * weight[1] < 0).double().mean().item()
    assert opposite == pytest.approx(0.5, abs=0.02)


def test_reset_draws_uniform_weights_anew_from_the_seed(activation):
    act = activation[0](2, initial="uniform")
    first = act.weight.detach().clone()
    act.reset_parameters()
    assert not act.weight.equal(first)
    torch.manual_seed(0)
    act.reset_parameters()
    assert act.weight.equal(first)


@pytest.mark.parametrize(("second", "factor"), [(-0.7, 0.0), (0.7, 1.4)])
def test_opposite_weights_annihilate_constants(activation, second, factor, digraph):
    act = activation[0](1).double()
    with torch.no_grad():
        act.weight.copy_(torch.tensor([0.7, second]))
    constant = torch.full((12, 2), 3.0, dtype=torch.float64)
    expected = factor * constant
    torch.testing.assert_close(act(constant, digraph), expected, atol=1e-6, rtol=1e-6)


def test_exact_hops_use_exact_neighbourhoods(activation, x, digraph):
    make, operator = activation
    act = make(1, reach="exact", empty="self")
    around = digraph.neighborhoods(1, exact=True)
    assert around.smallest > 0
    assert not around.indices.equal(digraph.neighborhoods(1).indices)
    expected = (x + operator(x, around)[:, 0]) / 2
    torch.testing.assert_close(act(x, digraph), expected)


def test_neighbourhoods_may_be_given_by_hand(activation, x, digraph):
    act = activation[0](2)
    assert act(x, digraph.neighborhoods(2)).equal(act(x, digraph))


@pytest.mark.parametrize("hops", [0, 2])
def test_a_pointwise_function_follows(activation, hops, x, digraph):
    plain, shaped = activation[0](hops), activation[0](hops, pointwise=torch.tanh)
    assert shaped(x, digraph).equal(plain(x, digraph).tanh())


def test_a_pointwise_module_brings_its_parameters(activation, x, digraph):
    act = activation[0](1, pointwise=nn.PReLU())
    assert {name for name, _ in act.named_parameters()} == {
        "weight",
        "pointwise.weight",
    }
    act(x, digraph).sum().backward()
    assert act.pointwise.weight.grad is not None


def test_state_dicts_make_the_round_trip(activation, x, digraph, tmp_path):
    act = activation[0](2, 3, initial="uniform")
    torch.save(act.state_dict(), tmp_path / "weights.pt")
    other = activation[0](2, 3)
    other.load_state_dict(torch.load(tmp_path / "weights.pt", weights_only=True))
    assert other(x, digraph).equal(act(x, digraph))


def test_a_deep_copy_is_equal_and_apart(activation, x, digraph):
    act = activation[0](2, initial="uniform")
    twin = copy.deepcopy(act)
    assert twin(x, digraph).equal(act(x, digraph))
    nn.init.zeros_(twin.weight)
    assert act.weight.abs().sum() > 0


def test_precision_follows_the_module(activation, x, digraph):
    act = activation[0](2, 3).double()
    assert act(x.double(), digraph).dtype == torch.float64
    assert act.bfloat16()(x.bfloat16(), digraph).dtype == torch.bfloat16


def test_modules_move_to_another_device(activation):
    act = activation[0](2, 3).to("meta")
    assert act.weight.is_meta
    assert act.weight.shape == (3, 3)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (MedianActivation(2, 32), "MedianActivation(hops=2, features=32)"),
        (MaxActivation(1), "MaxActivation(hops=1, features=None)"),
        (MeanActivation(1, reach="exact"), "(hops=1, features=None, reach='exact')"),
        (RankActivation(0.25), "RankActivation(q=0.25, hops=1, features=None)"),
    ],
)
def test_repr_says_the_settings(made, words):
    assert words in repr(made)


def test_every_activation_is_permutation_equivariant(activation, digraph):
    for act in (activation[0](2, initial="uniform"), activation[0](0)):
        vc.testing.assert_permutation_equivariant(act, digraph)


@pytest.mark.parametrize("features", [None, 3])
@pytest.mark.parametrize("kind", [MedianActivation, MaxActivation, MeanActivation])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_signals_keep_their_type(kind, features, dtype):
    ring = vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    z = kind(1, features)(torch.randn(3, 3).to(dtype), ring)
    assert z.dtype == dtype
