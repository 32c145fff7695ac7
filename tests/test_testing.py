"""The public assertion holds for what is equivariant and catches what is not."""

import pytest
import torch
from torch import nn

import vicinal as vc
from vicinal.testing import assert_permutation_equivariant


class Lambda(nn.Module):
    """Any function of a signal and a graph as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x, graph):
        return self.function(x, graph)


def by_position(x, graph):
    return x + torch.arange(x.size(-2), dtype=x.dtype)[:, None]


def sorted_nodes(x, graph):
    return x.sort(dim=-2).values


def out_neighbours(x, graph):
    return graph.to_dense("out").to(x.dtype) @ x


def stale_graph(first):
    return lambda x, graph: first.to_dense().to(x.dtype) @ x


FAITHFUL = {
    "identity": lambda x, graph: x,
    "mean over all nodes": lambda x, graph: x.mean(-2, keepdim=True).expand_as(x),
    "out-neighbours": out_neighbours,
    "degree": lambda x, graph: x * graph.indptr.diff()[:, None],
}


@pytest.mark.parametrize("name", FAITHFUL)
def test_equivariant_functions_pass(name, digraph):
    assert_permutation_equivariant(Lambda(FAITHFUL[name]), digraph, features=2)


@pytest.mark.parametrize("function", [by_position, sorted_nodes])
def test_functions_that_see_the_numbering_are_caught(function, digraph):
    with pytest.raises(AssertionError, match=r"equivariant to 1e-10, got a difference"):
        assert_permutation_equivariant(Lambda(function), digraph)


def test_a_module_that_keeps_the_first_graph_is_caught(digraph):
    with pytest.raises(AssertionError, match="must be permutation equivariant"):
        assert_permutation_equivariant(Lambda(stale_graph(digraph)), digraph)


def test_a_small_difference_is_caught_and_a_tolerance_forgives_it(digraph):
    module = Lambda(lambda x, graph: x + 1e-6 * by_position(x, graph))
    with pytest.raises(AssertionError, match="must be permutation equivariant"):
        assert_permutation_equivariant(module, digraph)
    assert_permutation_equivariant(module, digraph, tolerance=1e-3)


def test_nan_is_caught(digraph):
    module = Lambda(lambda x, graph: x * float("nan"))
    with pytest.raises(AssertionError, match="got a difference of nan"):
        assert_permutation_equivariant(module, digraph)


@pytest.mark.parametrize("shape", ["one answer", "nodes elsewhere"])
def test_a_module_that_loses_the_nodes_is_caught(shape, digraph):
    def function(x, graph):
        return x.sum((-2, -1)) if shape == "one answer" else x.mT

    with pytest.raises(AssertionError, match=r"must return \(\.\.\., 12, features\)"):
        assert_permutation_equivariant(Lambda(function), digraph, features=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("training", [True, False])
def test_the_module_is_given_back_as_it_was(dtype, training, digraph):
    model = vc.nn.GNN(1, [4], 2, hops=2, dropout=0.5).to(dtype).train(training)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    assert_permutation_equivariant(model, digraph)
    assert model.training == training
    for name, parameter in model.named_parameters():
        assert parameter.dtype == dtype
        assert parameter.equal(before[name])


def test_the_module_is_given_back_after_a_failure_too(digraph):
    model = nn.Sequential(vc.nn.GraphFilter(1, 2, 3))
    module = Lambda(lambda x, graph: by_position(model[0](x, graph), graph))
    module.inner = model
    with pytest.raises(AssertionError, match="must be permutation equivariant"):
        assert_permutation_equivariant(module.train(), digraph)
    assert model[0].weight.dtype == torch.float32
    assert module.training


def test_random_numbers_of_the_caller_are_left_alone(digraph):
    state = torch.random.get_rng_state()
    assert_permutation_equivariant(vc.nn.MaxActivation(1), digraph)
    assert torch.random.get_rng_state().equal(state)


def test_what_is_no_graph_is_refused():
    with pytest.raises(TypeError, match=r"`graph` must be a vicinal.Graph, got str"):
        assert_permutation_equivariant(vc.nn.MaxActivation(), "graph")


def test_the_module_is_left_as_it_was():
    graph = vc.graphs.erdos_renyi(10, 0.4, seed=0)
    frozen = torch.nn.BatchNorm1d(10).eval()

    class Mixed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.ones((), dtype=torch.float64))
            self.frozen = frozen
            self.act = vc.nn.MedianActivation(1)

        def forward(self, x, graph):
            return self.act(x * self.scale, graph)

    module = Mixed()
    assert_permutation_equivariant(module, graph)
    assert module.training
    assert not module.frozen.training
    assert module.act.weight.dtype == torch.float32
