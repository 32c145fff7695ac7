"""Selected values and nodes, against loops over sets."""

import math

import brute
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal import kernels
from vicinal.kernels import rank

RULES = {
    "min": (rank.MIN, brute.minimum),
    "max": (rank.MAX, brute.maximum),
    "upper": (rank.UPPER_MEDIAN, brute.upper),
    "lower": (rank.LOWER_MEDIAN, brute.lower),
    "0.3": (rank.quantile(0.3), brute.quantile("0.3")),
}
DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


def same(found, expected):
    torch.testing.assert_close(found[0], expected[0], rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(found[1], expected[1], rtol=0, atol=0)


def pick(values, row, rule="upper", skip_nan=False, operator=kernels.select):
    """Value and node of one row over one signal."""
    x = torch.tensor(values, dtype=torch.float64).view(1, -1, 1)
    value, node = operator(x, *brute.csr([row]), RULES[rule][0], skip_nan)
    return value.item(), node.item()


@st.composite
def cases(draw):
    """A signal with ties, NaN and infinities, and rows that may be empty."""
    num_nodes = draw(st.integers(1, 7))
    rows = draw(st.lists(st.sets(st.integers(0, num_nodes - 1)), max_size=5))
    shape = (draw(st.integers(0, 2)), num_nodes, draw(st.integers(0, 2)))
    x = draw(brute.signals(shape, brute.HARD, draw(st.sampled_from(DTYPES))))
    return x, rows


@pytest.mark.parametrize("operator", [kernels.select, kernels.select_shared])
@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    case=cases(),
    rule=st.sampled_from(sorted(RULES)),
    skip_nan=st.booleans(),
    index=st.sampled_from([torch.int32, torch.int64]),
    pointer=st.sampled_from([torch.int32, torch.int64]),
)
def test_selection_is_that_of_a_loop(operator, case, rule, skip_nan, index, pointer):
    (x, rows), (rank_rule, position) = case, RULES[rule]
    found = operator(x, *brute.csr(rows, index, pointer), rank_rule, skip_nan)
    same(found, brute.select(x, rows, position, skip_nan))
    assert found[0].dtype == x.dtype


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    graph=brute.digraphs(most=7),
    hops=st.integers(0, 3),
    skip_nan=st.booleans(),
    dtype=st.sampled_from(DTYPES),
    data=st.data(),
)
def test_iterated_maximum_is_that_of_the_ball(graph, hops, skip_nan, dtype, data):
    num_nodes, edges = graph
    x = data.draw(brute.signals((2, num_nodes, 2), brute.HARD, dtype))
    stacked = brute.balls(edges, num_nodes, hops)
    step = brute.balls(edges, num_nodes, 1)[0]
    found = kernels.maxima(x, *brute.csr(step), hops, skip_nan)
    rows = [row for hop in stacked for row in hop]
    same(found, brute.select(x, rows, brute.maximum, skip_nan))


def test_iterated_maximum_without_self_loops_follows_walks():
    edges = [(0, 1), (1, 2)]
    x = torch.tensor([7.0, 1.0, 2.0]).view(1, 3, 1)
    step = brute.spheres(edges, 3, 1)[0]
    values, nodes = kernels.maxima(x, *brute.csr(step), 3)
    assert nodes.flatten().tolist() == [-1, 0, 1, -1, -1, 0, -1, -1, -1]
    assert values.flatten().tolist() == [0, 7, 1, 0, 0, 7, 0, 0, 0]


@pytest.mark.parametrize(
    ("values", "rule", "expected"),
    [
        ([4, 1, 3, 2], "upper", (3, 2)),
        ([4, 1, 3, 2], "lower", (2, 3)),
        ([4, 1, 3, 2], "max", (4, 0)),
        ([4, 1, 3, 2], "min", (1, 1)),
        ([2, 1, 2, 1], "upper", (2, 0)),
        ([2, 1, 2, 1], "lower", (1, 1)),
        ([1, 5, 5, 5], "max", (5, 1)),
        ([-3, -1, -2], "upper", (-2, 2)),
        ([math.inf, 0, -math.inf], "max", (math.inf, 0)),
        ([math.inf, 0, -math.inf], "upper", (0, 1)),
        ([-math.inf, -math.inf], "max", (-math.inf, 0)),
    ],
)
def test_hand_worked_rows(values, rule, expected):
    assert pick(values, set(range(len(values))), rule) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("zeros", [[-0.0, 0.0], [0.0, -0.0]])
def test_negative_zero_equals_zero(rule, zeros):
    value, node = pick(zeros, {0, 1}, rule)
    assert node == 0
    assert math.copysign(1, value) == math.copysign(1, zeros[0])


@pytest.mark.parametrize("rule", RULES)
def test_the_first_nan_is_selected(rule):
    value, node = pick([1, math.nan, 2, math.nan], {0, 1, 2, 3}, rule)
    assert math.isnan(value)
    assert node == 1


def test_nan_outside_the_row_is_not_seen():
    assert pick([1, math.nan, 2], {0, 2}) == (2, 2)


@pytest.mark.parametrize(("rule", "node"), [("min", 3), ("upper", 0), ("max", 2)])
def test_ignored_nan_leaves_the_others(rule, node):
    values = [2.0, math.nan, 3.0, 1.0, math.nan]
    assert pick(values, set(range(5)), rule, skip_nan=True) == (values[node], node)


@pytest.mark.parametrize("operator", [kernels.select, kernels.select_shared])
def test_a_row_of_ignored_nan_counts_as_empty(operator):
    nothing = [math.nan, math.nan]
    assert pick(nothing, {0, 1}, skip_nan=True, operator=operator) == (0, -1)
    assert pick([1, 2], set(), operator=operator) == (0, -1)


@pytest.mark.parametrize("rule", RULES)
def test_one_node_selects_itself(rule):
    assert pick([3], {0}, rule) == (3, 0)


@pytest.mark.parametrize("shape", [(0, 3, 2), (2, 3, 0), (0, 3, 0)])
def test_nothing_in_gives_nothing_out(shape):
    x, rows = torch.zeros(shape), brute.csr([{0, 1}, {2}, {1}])
    for values, nodes in (
        kernels.select(x, *rows, rank.MAX),
        kernels.select_shared(x, *rows, rank.MAX),
        kernels.maxima(x, *rows, 1),
    ):
        assert values.shape == nodes.shape == shape
        assert nodes.dtype == torch.int32


def test_no_rows_give_nothing():
    values, _ = kernels.select(torch.ones(2, 3, 4), *brute.csr([]), rank.MAX)
    assert values.shape == (2, 0, 4)


def layouts():
    x = torch.randn(3, 5, 4, dtype=torch.float64)
    return {
        "transposed": x.transpose(0, 2).contiguous().transpose(0, 2),
        "strided": torch.randn(6, 10, 8, dtype=torch.float64)[::2, ::2, ::2],
        "expanded batch": x[:1].expand(3, 5, 4),
        "expanded features": x[..., :1].expand(3, 5, 4),
        "expanded nodes": x[:, :1].expand(3, 5, 4),
    }


@pytest.mark.parametrize("layout", layouts())
def test_memory_layout_does_not_matter(layout):
    x = layouts()[layout]
    rows = [{0, 1, 2}, {3}, {0, 4}, {1, 2, 3, 4}, {2, 4}]
    assert not x.is_contiguous()
    same(
        kernels.select(x, *brute.csr(rows), rank.UPPER_MEDIAN),
        brute.select(x, rows, brute.upper),
    )
    same(kernels.maxima(x, *brute.csr(rows), 1), brute.select(x, rows, brute.maximum))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_compared_exactly(dtype):
    one_apart = torch.tensor([1.0, 1.0 + torch.finfo(dtype).eps], dtype=dtype)
    _, nodes = kernels.select(one_apart.view(1, 2, 1), *brute.csr([{0, 1}]), rank.MAX)
    assert nodes.item() == 1


def all_selections(x, rows):
    """Values, nodes and gradients of every operator that works in tiles."""
    structure = brute.csr(rows)
    values, nodes = kernels.select_shared(x, *structure, rank.UPPER_MEDIAN)
    (shared,) = torch.autograd.grad(values, x, torch.ones_like(values))
    return [values, nodes, shared, *kernels.maxima(x, *structure, 2)]


@pytest.mark.parametrize("tile", [1, 2, 5])
def test_the_size_of_a_tile_does_not_matter(tile, monkeypatch):
    monkeypatch.setattr("vicinal.kernels.path._NATIVE", False)
    x = torch.randint(0, 3, (2, 6, 3)).double().requires_grad_()
    rows = [{0, 1, 2, 3, 4, 5}, {2}, set(), {1, 3}, {0, 5}, {1, 2, 4}]
    at_once = all_selections(x, rows)
    monkeypatch.setattr("vicinal.kernels.reference.TILE", tile)
    for found, expected in zip(all_selections(x, rows), at_once, strict=True):
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-14)
