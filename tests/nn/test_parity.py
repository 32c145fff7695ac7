"""Parity with the authors' code: each of its habits is a switch.

The definitions below are loops over nodes that do what their layers do, in words of our
own: lower median, within k hops with the node itself, x S instead of S x, a bias, and
the closure of release 0.1, where two hops and more took in all that can be reached.
"""

import functools
import itertools

import numpy as np
import pytest
import torch

import vicinal as vc
from vicinal.functional import graph_filter, local_max, local_median
from vicinal.nn import GraphFilter, MaxActivation, MedianActivation, RankActivation

NODES = 9


@pytest.fixture
def s():
    """A directed weighted matrix with zero diagonal; row i names who feeds node i."""
    generator = np.random.default_rng(4)
    matrix = generator.standard_normal((NODES, NODES))
    matrix *= generator.random((NODES, NODES)) < 0.2
    np.fill_diagonal(matrix, 0)
    matrix[range(1, NODES), range(NODES - 1)] = 1.5  # a chain: far nodes exist
    return matrix


@pytest.fixture
def graph(s):
    return vc.Graph.from_dense(s)


def row_neighbours(s, hops):
    """Nodes within ``hops`` hops along rows, the node itself included."""
    reached = [{i} for i in range(NODES)]
    for _ in range(hops):
        reached = [
            nodes | {j for i in nodes for j in range(NODES) if s[i, j] != 0}
            for nodes in reached
        ]
    return reached


def closed_neighbours(s, hops):
    """As above, but two hops and more are taken until nothing new is found."""
    return row_neighbours(s, 1 if hops == 1 else NODES)


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def activation_of_the_authors(x, s, w, reduce, neighbours=row_neighbours):
    """Loop over samples, nodes and features: w_0 x + sum of w_k reduce(k hops)."""
    z = w[0] * x
    for k in range(1, len(w)):
        around = neighbours(s, k)
        for b, i, f in itertools.product(*map(range, x.shape)):
            z[b, i, f] += w[k] * reduce([x[b, j, f] for j in around[i]])
    return z


def filter_of_the_authors(x, s, h, bias):
    """Signals as rows: y^f = b^f + sum_gk h_k^{fg} x^g S^k."""
    y = np.zeros((x.shape[0], NODES, h.shape[2])) + bias
    for k, g, f in itertools.product(*map(range, h.shape)):
        y[:, :, f] += h[k, g, f] * (x[:, :, g] @ np.linalg.matrix_power(s, k))
    return y


def signal(features=2):
    return torch.randn(3, NODES, features, dtype=torch.float64)


def same(found, expected):
    expected = torch.as_tensor(expected)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_the_lower_median_is_a_convention(s, graph):
    x = signal()
    for k, w in ((1, [0, 1]), (2, [0, 0, 1])):
        expected = activation_of_the_authors(x.numpy(), s, w, lower_median)
        found = local_median(x, graph, 2, convention="lower")[:, k - 1]
        same(found, expected)
        assert not torch.equal(local_median(x, graph, 2)[:, k - 1], found)


MAKE = {
    "max": MaxActivation,
    "median": functools.partial(MedianActivation, convention="lower"),
    "rank": functools.partial(RankActivation, 0.5),  # the lower median by its rank
}


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("name", MAKE)
def test_activations_weigh_balls_that_hold_the_node(name, hops, s, graph):
    x = signal()
    act = MAKE[name](hops)
    torch.nn.init.uniform_(act.double().weight, -1, 1)
    reduce = max if name == "max" else lower_median
    w = act.weight.detach().numpy()
    same(act(x, graph), activation_of_the_authors(x.numpy(), s, w, reduce))


def test_a_reversed_graph_filters_x_s(s, graph):
    x, h = signal(), torch.randn(4, 2, 3, dtype=torch.float64)
    shift = graph.reverse().shift(scaled=False, dtype=torch.float64)
    expected = filter_of_the_authors(x.numpy(), s, h.numpy(), 0.0)
    same(graph_filter(x, shift, h), expected)
    forward = graph.shift(scaled=False, dtype=torch.float64)
    assert (graph_filter(x, forward, h) - torch.as_tensor(expected)).abs().max() > 1e-3


@pytest.mark.parametrize("bias", [False, True])
def test_bias_is_a_switch(bias, s, graph):
    x, bank = signal(), GraphFilter(2, 3, 4, bias=bias, scaled=False).double()
    h = bank.weight.detach().numpy()
    b = bank.bias.detach().numpy() if bias else 0.0
    assert (bank.bias is not None) == bias
    same(bank(x, graph.reverse()), filter_of_the_authors(x.numpy(), s, h, b))


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_closure_of_release_0_1_is_a_switch(hops, s, graph):
    x, around = signal(), graph.whole_component(hops)
    for k, i in itertools.product(range(1, hops + 1), range(NODES)):
        assert set(around.of(i, k).tolist()) == closed_neighbours(s, k)[i]
    w = [0.0] * hops + [1.0]
    expected = activation_of_the_authors(x.numpy(), s, w, max, closed_neighbours)
    same(local_max(x, around)[:, -1], expected)
    expected = activation_of_the_authors(
        x.numpy(), s, w, lower_median, closed_neighbours
    )
    same(local_median(x, around, convention="lower")[:, -1], expected)


def test_the_closure_differs_from_the_right_neighbourhoods(graph):
    right, closed = graph.neighborhoods(2), graph.whole_component(2)
    assert closed.ends[0] == right.ends[0]
    assert closed.ends[1] > right.ends[1]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("name", MAKE)
def test_all_switches_together_are_a_layer_of_the_authors(name, closed, s, graph):
    x, hops = signal(), 2
    bank = GraphFilter(2, 3, 4, scaled=False).double()
    reach = "component" if closed else "within"
    act = MAKE[name](hops, initial="uniform", reach=reach).double()
    u = filter_of_the_authors(
        x.numpy(), s, bank.weight.detach().numpy(), bank.bias.detach().numpy()
    )
    expected = activation_of_the_authors(
        u,
        s,
        act.weight.detach().numpy(),
        max if name == "max" else lower_median,
        closed_neighbours if closed else row_neighbours,
    )
    same(act(bank(x, graph.reverse()), graph), expected)
