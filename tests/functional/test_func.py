"""torch.func through the public functions and a whole model, against loops."""

import dataclasses

import pytest
import torch
from torch.func import functional_call, grad, jacfwd, jacrev, vmap

import vicinal as vc
from vicinal.functional import graph_filter, local_max, local_mean, local_median

pytestmark = pytest.mark.filterwarnings(  # torch's forward mode compiles with it
    "ignore:`torch.jit.script` is deprecated:DeprecationWarning"
)

DENSE = vc.graphs.erdos_renyi(6, 0.9, seed=0)
SPARSE = vc.Graph.from_edges([(i, (i + 1) % 6) for i in range(6)])
TAPS = torch.arange(1.0, 7.0, dtype=torch.float64).view(3, 2, 1)


def shift(graph):
    made = graph.shift(dtype=torch.float64)
    return dataclasses.replace(made, dense=None) if graph is SPARSE else made


FUNCTIONS = {
    "median": lambda x: local_median(x, SPARSE, 2),
    "max": lambda x: local_max(x, SPARSE, 2),
    "shared": lambda x: local_median(x, SPARSE, 2, ties="share"),
    "empty": lambda x: local_max(x, SPARSE, nan="ignore", empty="self"),
    "sparse mean": lambda x: local_mean(x, SPARSE),
    "dense mean": lambda x: local_mean(x, DENSE),
    "sparse filter": lambda x: graph_filter(x, shift(SPARSE), TAPS),
    "dense filter": lambda x: graph_filter(x, shift(DENSE), TAPS),
    "powers": lambda x: graph_filter(x, shift(SPARSE), TAPS, form="powers"),
}


def signal(*leading):
    return torch.randint(0, 4, (*leading, 6, 2)).double()


def total(name):
    def scalar(x):
        y = FUNCTIONS[name](x)
        return (y * torch.arange(1.0, y.numel() + 1, dtype=y.dtype).view_as(y)).sum()

    return scalar


def by_autograd(function, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x), x)[0]


def same(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-7, atol=1e-7)


def test_both_kinds_of_product_are_tested():
    assert shift(DENSE).dense is not None
    assert shift(SPARSE).dense is None


@pytest.mark.parametrize("leading", [(), (3,)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_vmap_agrees_with_a_loop(name, leading):
    x = signal(4, *leading)
    same(vmap(FUNCTIONS[name])(x), torch.stack([FUNCTIONS[name](p) for p in x]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_each_sample_agree_with_a_loop(name):
    x = signal(4)
    expected = torch.stack([by_autograd(total(name), part) for part in x])
    same(torch.stack([grad(total(name))(part) for part in x]), expected)
    same(vmap(grad(total(name)))(x), expected)
    assert expected.count_nonzero() > 0


@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_jacobians_agree_with_autograd(name, jacobian):
    x = signal()
    expected = torch.autograd.functional.jacobian(FUNCTIONS[name], x)
    same(jacobian(FUNCTIONS[name])(x), expected)
    assert expected.count_nonzero() > 0


def test_parameters_of_a_model_have_gradients_for_each_sample():
    model = vc.nn.GNN(2, [4, 3], 1, hops=2, readout="signal", num_nodes=6).double()
    parameters = {name: p.detach() for name, p in model.named_parameters()}
    x = torch.randn(5, 6, 2, dtype=torch.float64)

    def loss(parameters, part):
        return functional_call(model, parameters, (part, SPARSE)).square().sum()

    found = vmap(grad(loss), in_dims=(None, 0))(parameters, x)
    for at, part in enumerate(x):
        model.zero_grad()
        model(part, SPARSE).square().sum().backward()
        for name, parameter in model.named_parameters():
            same(found[name][at], parameter.grad)


@pytest.mark.parametrize("features", [None, 3])
@pytest.mark.parametrize("name", ["median", "max", "mean"])
def test_an_ensemble_of_weights_agrees_with_a_loop(name, features):
    make = {
        "median": vc.nn.MedianActivation,
        "max": vc.nn.MaxActivation,
        "mean": vc.nn.MeanActivation,
    }
    act = make[name](2, features).double()
    weights = torch.randn(4, *act.weight.shape, dtype=torch.float64)
    x = torch.randn(2, SPARSE.num_nodes, 3, dtype=torch.float64)

    def one(weight):
        return functional_call(act, {"weight": weight}, (x, SPARSE))

    same(vmap(one)(weights), torch.stack([one(weight) for weight in weights]))

    def loss(weight):
        return one(weight).square().sum()

    expected = torch.stack([by_autograd(loss, weight) for weight in weights])
    same(vmap(grad(loss))(weights), expected)
