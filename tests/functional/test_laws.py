"""Laws of the local operators: order, nesting, iteration, shapes and precisions."""

import itertools

import networkx as nx
import pytest
import torch

from vicinal import Graph
from vicinal.functional import (
    graph_filter,
    local_max,
    local_mean,
    local_median,
    local_rank,
    multiresolution,
)

OPERATORS = {
    "max": local_max,
    "median": local_median,
    "minimum": lambda x, graph, hops=1: local_rank(x, graph, 0.0, hops),
    "mean": local_mean,
}


def signal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def test_rows_are_those_who_feed_a_node(chain):
    x = torch.tensor([[7.0], [5.0], [3.0]])  # on 0 -> 1 -> 2
    around = chain.neighborhoods(2, exact=True)
    found = local_max(x, around, empty=0.0).squeeze(-1).tolist()
    assert found == [[0, 7, 5], [0, 0, 7]]


def test_filter_and_activation_look_at_the_same_neighbours(digraph):
    x = signal(12, 1).requires_grad_()
    shift = digraph.shift(scaled=False, dtype=x.dtype)
    taps = torch.tensor([0.0, 1.0], dtype=x.dtype).view(2, 1, 1)
    around = digraph.neighborhoods(1, exact=True)
    filtered, averaged = graph_filter(x, shift, taps), local_mean(x, around)[0]
    for node in range(12):
        (one,) = torch.autograd.grad(filtered[node, 0], x, retain_graph=True)
        (other,) = torch.autograd.grad(averaged[node, 0], x, retain_graph=True)
        assert one.nonzero().equal(other.nonzero())
        assert one.count_nonzero() > 0


@pytest.mark.parametrize("name", OPERATORS)
def test_no_hops_leave_only_the_signal(name, digraph):
    x = signal(2, 12, 3)
    nothing = OPERATORS[name](x, digraph, 0)
    assert nothing.shape == (2, 0, 12, 3)
    assert multiresolution(x, nothing, torch.ones(1, dtype=x.dtype)).equal(x)


def test_maxima_grow_with_the_ball(digraph):
    x = signal(2, 12, 3)
    steps = torch.cat([x.unsqueeze(1), local_max(x, digraph, 6)], 1)
    assert (steps.diff(dim=1) >= 0).all()


def test_maxima_of_exact_hops_need_not_grow():
    edge = Graph.from_edges([(0, 1), (1, 0)])
    x = torch.tensor([[1.0], [2.0]])
    found = local_max(x, edge.neighborhoods(2, exact=True))
    assert found.squeeze(-1).tolist() == [[2, 1], [1, 2]]


def test_maxima_end_at_that_of_the_component():
    drawn = nx.disjoint_union(nx.path_graph(4), nx.cycle_graph(5))
    x = signal(9, 2)
    found = local_max(x, Graph.from_networkx(drawn), hops=4)[-1]
    for component in nx.connected_components(drawn):
        nodes = sorted(component)
        assert found[nodes].equal(x[nodes].amax(0).expand(len(nodes), 2))


def test_maximum_of_maxima_is_the_maximum_of_the_larger_ball(digraph):
    x = signal(12, 2)
    stacked = local_max(x, digraph, 4)
    for k in range(1, 4):
        assert stacked[k].equal(local_max(stacked[k - 1], digraph)[0])


def test_median_of_medians_is_not_the_median_of_the_larger_ball():
    path = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
    x = torch.tensor([[3.0], [1.0], [2.0]])
    once = local_median(x, path)[0]
    assert local_median(once, path).flatten().tolist() == [3, 2, 2]
    assert local_median(x, path, hops=2)[1].flatten().tolist() == [2, 2, 2]


@pytest.mark.parametrize("name", OPERATORS)
def test_rising_affine_maps_pass_through(name, digraph):
    x = signal(12, 2)
    moved = OPERATORS[name](4 * x + 0.5, digraph, 2)
    torch.testing.assert_close(moved, 4 * OPERATORS[name](x, digraph, 2) + 0.5)


@pytest.mark.parametrize("name", OPERATORS)
def test_constant_signals_stay_as_they_are(name, digraph):
    x = torch.full((12, 1), -3.0, dtype=torch.float64)
    found = OPERATORS[name](x, digraph, 3)
    torch.testing.assert_close(found, x.expand(3, 12, 1))


def test_a_sign_turns_maximum_into_minimum(digraph):
    x = signal(12, 2)
    assert local_max(-x, digraph, 2).equal(-OPERATORS["minimum"](x, digraph, 2))


def test_a_sign_turns_the_upper_median_into_the_lower(digraph):
    x = signal(12, 2)
    lower = local_median(x, digraph, 2, convention="lower")
    assert local_median(-x, digraph, 2).equal(-lower)
    assert not lower.equal(local_median(x, digraph, 2))  # balls of even size exist


def test_ranks_lie_between_minimum_and_maximum(digraph):
    x = signal(12, 2)
    ladder = [local_rank(x, digraph, q, 2) for q in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert all((high >= low).all() for low, high in itertools.pairwise(ladder))
    assert ladder[-1].equal(local_max(x, digraph, 2))


@pytest.mark.parametrize("name", OPERATORS)
def test_weights_do_not_matter(name, digraph):
    edges, weight = digraph.to_edges()
    signed = Graph.from_edges(edges, 12, torch.randn_like(weight))
    x = signal(12, 2)
    assert OPERATORS[name](x, signed, 3).equal(OPERATORS[name](x, digraph, 3))


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("shape", [(0, 12, 3), (2, 12, 0), (12, 0), (2, 0, 12, 3)])
@pytest.mark.parametrize("gradient", [False, True])
def test_nothing_in_gives_nothing_out(name, shape, gradient, digraph):
    x = torch.zeros(shape, requires_grad=gradient)
    y = OPERATORS[name](x, digraph, 2)
    assert y.shape == (*shape[:-2], 2, *shape[-2:])
    if gradient:
        assert torch.autograd.grad(y.sum(), x)[0].shape == shape


@pytest.mark.parametrize("name", OPERATORS)
def test_one_node_hears_itself(name):
    alone = Graph.from_edges([], num_nodes=1)
    assert OPERATORS[name](torch.tensor([[5.0]]), alone, 2).flatten().tolist() == [5, 5]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_rounds_once(name, dtype, digraph):
    x = torch.randn(2, 12, 3).to(dtype)
    found = OPERATORS[name](x, digraph, 2)
    assert found.dtype == dtype
    exact = OPERATORS[name](x.double(), digraph, 2)
    atol = 0.0 if name != "mean" else torch.finfo(dtype).eps
    torch.testing.assert_close(found.double(), exact, rtol=atol, atol=atol)


@pytest.mark.parametrize("name", OPERATORS)
def test_memory_layout_does_not_matter(name, digraph):
    x = signal(3, 12, 2)
    expected = OPERATORS[name](x, digraph, 2)
    turned = x.permute(2, 1, 0).contiguous().permute(2, 1, 0)
    assert OPERATORS[name](turned, digraph, 2).equal(expected)
    wide = x[:1].expand(3, 12, 2)
    assert OPERATORS[name](wide, digraph, 2).equal(
        OPERATORS[name](wide.contiguous(), digraph, 2)
    )


def test_multiresolution_weighs_the_hops():
    x, stacked = signal(2, 4, 3), signal(2, 2, 4, 3)
    shared, each = signal(3), signal(3, 3)
    expected = shared[0] * x + shared[1] * stacked[:, 0] + shared[2] * stacked[:, 1]
    torch.testing.assert_close(multiresolution(x, stacked, shared), expected)
    for f in range(3):
        torch.testing.assert_close(
            multiresolution(x, stacked, each)[..., f],
            multiresolution(x, stacked, each[:, f])[..., f],
        )
