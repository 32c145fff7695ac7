"""Local operators on graphs, against loops over sets, and the laws they obey."""

import math

import brute
import networkx as nx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal import Graph
from vicinal.functional import (
    local_max,
    local_mean,
    local_median,
    local_rank,
    local_select,
)
from vicinal.kernels import rank

OPERATORS = {
    "max": (local_max, brute.maximum),
    "median": (local_median, brute.upper),
    "lower median": (
        lambda *given, **kw: local_median(*given, convention="lower", **kw),
        brute.lower,
    ),
    "rank 0.3": (
        lambda x, graph, hops=1, **kw: local_rank(x, graph, 0.3, hops, **kw),
        brute.quantile("0.3"),
    ),
    "minimum": (
        lambda x, graph, hops=1, **kw: local_rank(x, graph, 0.0, hops, **kw),
        brute.minimum,
    ),
}
LEADING = [(), (2,), (2, 1), (1, 1, 2)]


def by_loop(x, stacked, position, skip_nan=False, empty=None):
    """What a local operator must give, and the nodes it must select."""
    num_nodes, features = x.shape[-2:]
    rows = [row for hop in stacked for row in hop]
    signals = x.reshape(-1, num_nodes, features)
    values, nodes = brute.select(signals, rows, position, skip_nan)
    shape = (*x.shape[:-2], len(stacked), num_nodes, features)
    values, nodes = values.view(shape), nodes.view(shape)
    if empty == "self":
        own = torch.arange(num_nodes, dtype=torch.int32)[:, None].expand_as(nodes)
        values = torch.where(nodes < 0, x.unsqueeze(-3), values)
        return values, torch.where(nodes < 0, own, nodes)
    if empty is not None:
        values = torch.where(nodes < 0, empty, values)
    return values, nodes


def same(found, expected, atol=0):
    torch.testing.assert_close(found, expected, rtol=0, atol=atol, equal_nan=True)


@pytest.mark.parametrize("name", OPERATORS)
@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    graph=brute.digraphs(),
    hops=st.integers(1, 3),
    leading=st.sampled_from(LEADING),
    nan=st.sampled_from(["propagate", "ignore"]),
    empty=st.sampled_from(["self", 7.5]),
    ties=st.sampled_from(["first", "share"]),
    data=st.data(),
)
def test_within_hops(name, graph, hops, leading, nan, empty, ties, data):
    (num_nodes, edges), (operator, position) = graph, OPERATORS[name]
    x = data.draw(brute.signals((*leading, num_nodes, 2), brute.HARD))
    expected, _ = by_loop(
        x, brute.balls(edges, num_nodes, hops), position, nan == "ignore", empty
    )
    made = Graph.from_edges(edges, num_nodes)
    same(operator(x, made, hops, nan=nan, empty=empty, ties=ties), expected)


@pytest.mark.parametrize("name", OPERATORS)
@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    graph=brute.digraphs(),
    hops=st.integers(1, 3),
    nan=st.sampled_from(["propagate", "ignore"]),
    empty=st.sampled_from(["self", -1.0]),
    ties=st.sampled_from(["first", "share"]),
    data=st.data(),
)
def test_exactly_so_many_hops(name, graph, hops, nan, empty, ties, data):
    (num_nodes, edges), (operator, position) = graph, OPERATORS[name]
    x = data.draw(brute.signals((2, num_nodes, 1), brute.HARD))
    expected, _ = by_loop(
        x, brute.spheres(edges, num_nodes, hops), position, nan == "ignore", empty
    )
    around = Graph.from_edges(edges, num_nodes).neighborhoods(hops, exact=True)
    same(operator(x, around, nan=nan, empty=empty, ties=ties), expected)


@settings(deadline=None, max_examples=80, derandomize=True)
@given(
    graph=brute.digraphs(most=8),
    rule=st.sampled_from([(rank.MAX, brute.maximum), (rank.UPPER_MEDIAN, brute.upper)]),
    hops=st.integers(1, 3),
    nan=st.sampled_from(["propagate", "ignore"]),
    data=st.data(),
)
def test_selected_nodes_are_those_of_the_ball(graph, rule, hops, nan, data):
    num_nodes, edges = graph
    x = data.draw(brute.signals((num_nodes, 2), brute.HARD))
    made = Graph.from_edges(edges, num_nodes)
    stacked = brute.balls(edges, num_nodes, hops)
    expected = by_loop(x, stacked, rule[1], nan == "ignore", empty="self")
    found = local_select(x, made, rule[0], hops, nan=nan, empty="self")
    same(found.values, expected[0])
    same(found.nodes, expected[1])


def test_iterated_maximum_breaks_ties_by_source_not_by_messenger():
    graph = Graph.from_edges([(3, 1), (0, 2), (1, 4), (2, 4)])
    x = torch.tensor([[1.0], [0.0], [0.0], [1.0], [0.0]])  # 0 and 3 tie, two hops off
    nodes = local_select(x, graph, rank.MAX, hops=2).nodes
    assert nodes[1, 4].item() == 0  # the nearer messenger, node 1, brings node 3


@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    graph=brute.digraphs(),
    hops=st.integers(1, 3),
    leading=st.sampled_from(LEADING),
    exact=st.booleans(),
    data=st.data(),
)
def test_means(graph, hops, leading, exact, data):
    num_nodes, edges = graph
    x = data.draw(brute.signals((*leading, num_nodes, 2)))
    stacked = (brute.spheres if exact else brute.balls)(edges, num_nodes, hops)
    rows = [row for hop in stacked for row in hop]
    expected = brute.mean(x.reshape(-1, num_nodes, 2), rows)
    made = Graph.from_edges(edges, num_nodes)
    around = made.neighborhoods(hops, exact=True) if exact else made
    shape = (*leading, hops, num_nodes, 2)
    same(local_mean(x, around, hops, empty=0.0), expected.view(shape), atol=1e-14)


@pytest.mark.parametrize("name", OPERATORS)
@settings(deadline=None, max_examples=40, derandomize=True)
@given(graph=brute.digraphs(), hops=st.integers(1, 2), data=st.data())
def test_shared_gradients(name, graph, hops, data):
    (num_nodes, edges), (operator, position) = graph, OPERATORS[name]
    x = data.draw(brute.signals((2, num_nodes, 2)))
    stacked = brute.balls(edges, num_nodes, hops)
    rows = [row for hop in stacked for row in hop]
    grad = torch.arange(1.0, 1 + 4 * len(rows), dtype=x.dtype).view(2, -1, 2)
    expected = brute.shared_gradient(x, rows, position, grad)
    made = Graph.from_edges(edges, num_nodes)
    y = operator(x.requires_grad_(), made, hops, ties="share")
    (found,) = torch.autograd.grad(y, x, grad.view_as(y))
    same(found, expected, atol=1e-11)


def star(leaves):
    """A hub, node 0, that hears every leaf."""
    return Graph.from_edges([(i, 0) for i in range(1, leaves + 1)], leaves + 1)


@pytest.mark.parametrize("count", range(1, 51))
def test_median_of_n_numbers_is_number_n_div_2_plus_1(count):
    x = torch.randn(count, 1, dtype=torch.float64)
    ordered = sorted(x.flatten().tolist())
    hub = star(count - 1)
    assert local_median(x, hub)[0, 0].item() == ordered[count // 2]
    lower = local_median(x, hub, convention="lower")
    assert lower[0, 0].item() == x.median()
    assert local_max(x, hub)[0, 0].item() == ordered[-1]


@pytest.mark.parametrize("nan", ["propagate", "ignore", "raise"])
@pytest.mark.parametrize("name", OPERATORS)
def test_policies_do_not_touch_ordinary_signals(name, nan, digraph):
    x = torch.randn(12, 2, dtype=torch.float64)
    operator, _ = OPERATORS[name]
    plain = operator(x, digraph, 2)
    same(operator(x, digraph, 2, nan=nan, empty=5.0, ties="share"), plain)


@pytest.mark.parametrize("name", OPERATORS)
def test_an_empty_neighbourhood_passes_the_gradient_it_should(name, chain):
    operator, _ = OPERATORS[name]
    around = chain.neighborhoods(1, exact=True)  # node 0 hears nobody
    x = torch.randn(3, 1, dtype=torch.float64, requires_grad=True)
    for empty, expected in (("self", [2, 1, 0]), (9.0, [1, 1, 0])):
        (found,) = torch.autograd.grad(operator(x, around, empty=empty).sum(), x)
        assert found.flatten().tolist() == expected


def test_a_fill_value_may_be_any_number(chain):
    around = chain.neighborhoods(1, exact=True)
    for fill in (0, -2.5, math.inf):
        assert local_max(torch.ones(3, 1), around, empty=fill)[0, 0, 0].item() == fill


def test_path_distances_are_those_of_networkx():
    drawn = nx.gnp_random_graph(15, 0.12, seed=3, directed=True)
    graph = Graph.from_networkx(drawn)
    x = torch.randn(15, 1, dtype=torch.float64)
    found = local_max(x, graph, hops=4)
    for node in drawn:
        away = nx.single_target_shortest_path_length(drawn, node, cutoff=4)
        for k in range(1, 5):
            reached = [j for j, d in dict(away).items() if d <= k]
            assert found[k - 1, node, 0] == x[reached, 0].max()
