"""Transforms of torch.func on graphs that were never prepared."""

import pytest
import torch

import vicinal as vc
from vicinal.functional import graph_filter, local_activation, local_max, local_median

pytestmark = pytest.mark.filterwarnings(  # torch's own, when it loads its jvp rules
    "ignore:`torch.jit.script` is deprecated:DeprecationWarning"
)
OTHER = vc.Graph.from_edges([(0, 1)])
FUNCTIONS = {
    "median": lambda x, graph: local_median(x, graph, 2),
    "max": lambda x, graph: local_max(x, graph, 2),
    "activation": lambda x, graph: local_activation(x, graph, torch.ones(3)),
    "filter": lambda x, graph: graph_filter(x, graph.shift(), torch.ones(3, 2, 1)),
    "equality": lambda x, graph: x * (graph == OTHER),
}


def fresh(num_nodes=30):
    return vc.graphs.erdos_renyi(num_nodes, 4 / num_nodes, seed=1, connected=False)


def total(name, graph):
    return lambda x: FUNCTIONS[name](x, graph).square().sum()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("num_nodes", [30, 1500])  # the larger one is sampled for cost
def test_grad_and_vmap_need_no_prepared_graph(name, num_nodes):
    x = torch.randn(3, num_nodes, 2)
    found = torch.vmap(torch.func.grad(total(name, fresh(num_nodes))))(x)
    for one, expected in zip(x, found, strict=True):
        plain = one.clone().requires_grad_()
        total(name, fresh(num_nodes))(plain).backward()
        torch.testing.assert_close(plain.grad, expected)


@pytest.mark.parametrize("name", ["median", "max", "activation", "filter"])
def test_jvp_needs_no_prepared_graph(name):
    x, t = torch.randn(30, 2), torch.randn(30, 2)
    _, found = torch.func.jvp(total(name, fresh()), (x,), (t,))
    gradient = torch.func.grad(total(name, fresh()))(x)
    torch.testing.assert_close(found, (gradient * t).sum())


def test_balls_beyond_the_memory_limit_can_be_differentiated():
    graph, x = fresh(2000), torch.randn(2, 2000, 1)
    before = vc.memory_limit()
    vc.set_memory_limit(10**5)
    try:
        found = torch.vmap(torch.func.grad(total("median", graph)))(x)
    finally:
        vc.set_memory_limit(before)
    expected = torch.vmap(torch.func.grad(total("median", fresh(2000))))(x)
    torch.testing.assert_close(found, expected)
