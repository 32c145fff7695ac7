"""Native selections against the reference: values, nodes, gradients, bit for bit."""

import functools
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import cases

from vicinal import kernels
from vicinal.kernels import hops as hops_twin
from vicinal.kernels import native, operators, reference

pytestmark = pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)
SIZES = [1, 7, 60, 300, 1500]
FEATURES = [1, 3, 8, 32, 33]
FLOATS = [torch.float32, torch.float64]
HALVES = [torch.float16, torch.bfloat16]


@functools.cache
def selected(structure, kind, shape, dtype, rule, skip_nan):
    """What the reference selects; ``structure`` is a key of :func:`rows`."""
    x = cases.signal(kind, shape, dtype)
    values, nodes = reference.select(x, *rows(*structure), cases.RANKS[rule], skip_nan)
    return values, nodes, reference.scatter(values, nodes, shape[1])


@functools.cache
def rows(num_nodes, sizes=None):
    if sizes is None:
        return cases.digraph(num_nodes)
    return cases.widths(num_nodes, sizes)


def check_select(path, structure, kind, shape, dtype, rule, skip_nan):
    expected = selected(structure, kind, shape, dtype, rule, skip_nan)
    x = cases.signal(kind, shape, dtype)
    with native.forced_path(path):
        values, nodes = native.select(x, *rows(*structure), cases.RANKS[rule], skip_nan)
    cases.same_bits(values, expected[0])
    cases.same_bits(nodes, expected[1])
    cases.same_bits(native.scatter(values, nodes, shape[1]), expected[2])
    cases.same_bits(native.gather(x, nodes), values)


def draw_shape(num_nodes, *seed):
    """Batch and features drawn so that a test stays small."""
    draw = random.Random(repr((num_nodes, *seed)))
    features = draw.choice(FEATURES if num_nodes < 1500 else FEATURES[:3])
    batches = [0, 1, 3, 40] if num_nodes * features <= 500 else [1, 3]
    return draw.choice(batches if num_nodes < 300 else [1]), num_nodes, features


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("num_nodes", SIZES)
@pytest.mark.parametrize("kind", cases.SIGNALS)
def test_every_path_selects_what_the_reference_selects(path, num_nodes, kind):
    for rule in cases.RANKS if num_nodes < 300 else ("upper", "0.1"):
        for dtype in FLOATS:
            shape = draw_shape(num_nodes, kind, rule, dtype)
            for skip_nan in (False, True) if kind == "nan" else (False,):
                case = (kind, shape, dtype, rule, skip_nan)
                check_select(path, (num_nodes,), *case)


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("kind", cases.SIGNALS)
def test_half_precision_selects_what_the_reference_selects(path, dtype, kind):
    for rule in cases.RANKS:
        check_select(path, (60,), kind, (3, 60, 8), dtype, rule, kind == "nan")


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("batch", [0, 1, 3, 40])
def test_every_shape_selects_what_the_reference_selects(path, dtype, features, batch):
    for kind, rule in (("tied", "upper"), ("nan", "0.1")):
        check_select(path, (20,), kind, (batch, 20, features), dtype, rule, True)


LENGTHS = (*range(1, 60), 96, 97, 98, 99, 250, 251, 252, 253, 254, 255, 256)
LONGER = (*LENGTHS, 257, 258, 504, 505, 508, 509, 510, 511, 512, 513, 599, 600)


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("rule", cases.RANKS)
@pytest.mark.parametrize("num_nodes", [256, 257, 600])
def test_rows_of_every_length_at_every_switch(path, rule, num_nodes):
    structure = (num_nodes, LONGER if num_nodes == 600 else LENGTHS)
    for kind in ("normal", "tied"):
        for dtype in FLOATS:
            shape = (1, num_nodes, 9)
            check_select(path, structure, kind, shape, dtype, rule, False)


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("kind", ["normal", "tied", "nan"])
@pytest.mark.parametrize("num_nodes", [32_768, 32_769])
def test_large_graphs_where_a_code_is_shared_by_many_nodes(path, kind, num_nodes):
    structure = (num_nodes, (3, 49, 51, 400, 9000, num_nodes, 0))
    shape = (1, num_nodes, 8)
    check_select(path, structure, kind, shape, torch.float32, "upper", False)


@pytest.mark.parametrize("kind", cases.SIGNALS)
@pytest.mark.parametrize("num_nodes", SIZES)
def test_iterated_maxima_are_those_of_the_reference(num_nodes, kind):
    structure = rows(num_nodes)
    for dtype, hops in zip(
        [*FLOATS, *FLOATS, *HALVES], (0, 1, 3, 4, 2, 2), strict=True
    ):
        shape = draw_shape(num_nodes, kind, dtype, hops)
        x = cases.signal(kind, shape, dtype)
        for skip_nan in (False, True) if kind == "nan" else (False,):
            found = native.maxima(x, *structure, hops, skip_nan)
            expected = reference.maxima(x, *structure, hops, skip_nan)
            cases.same_bits(found[0], expected[0])
            cases.same_bits(found[1], expected[1])


@pytest.mark.parametrize("features", [63, 64, 65, 100, 130])
def test_maxima_of_wide_signals(features):
    structure, x = rows(60), cases.signal("zeros", (2, 60, features))
    found, expected = (k.maxima(x, *structure, 3, False) for k in (native, reference))
    cases.same_bits(found[0], expected[0])
    cases.same_bits(found[1], expected[1])


@pytest.mark.parametrize("kind", cases.SIGNALS)
@pytest.mark.parametrize("num_nodes", [1, 7, 60, 300])
def test_balls_on_the_fly_select_what_stored_balls_select(num_nodes, kind):
    structure = cases.digraph(num_nodes, degree=2)
    for rule, dtype, hops in zip(
        cases.RANKS, FLOATS * 3, (1, 2, 3, 1, 2, 3), strict=True
    ):
        stored = scipy_balls(structure, hops)
        shape = draw_shape(num_nodes, kind, rule, hops)
        x, given = cases.signal(kind, shape, dtype), (list(cases.RANKS[rule]), True)
        values, nodes = native.select_balls(x, *structure, hops, *given)
        expected = reference.select(x, *stored, *given)
        cases.same_bits(values, expected[0])
        cases.same_bits(nodes, expected[1])


def scipy_balls(structure, hops):
    """Stored balls, found by the SciPy twin and not by native code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hops_twin, "uses_native", lambda _: False)
        return hops_twin.balls(*structure, hops, False, lambda entries: None)


@pytest.mark.parametrize("dtype", [*FLOATS, *HALVES])
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("batch", [0, 1, 3, 40])
def test_gather_and_scatter_along_any_nodes(dtype, features, batch):
    shape, draw = (batch, 50, features), cases.generator(batch, features)
    nodes = torch.randint(-1, 9, shape, generator=draw).int()  # many rows to one node
    x = cases.signal("normal", (batch, 9, features), dtype)
    grad = cases.signal("normal", shape, dtype)
    cases.same_bits(native.gather(x, nodes), reference.gather(x, nodes))
    found, expected = (k.scatter(grad, nodes, 9) for k in (native, reference))
    cases.same_bits(found, expected)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_operators_take_selected_nodes_of_either_integer(dtype):
    x, nodes = torch.randn(2, 3, 2), torch.tensor([0, 2, -1, 1]).view(1, 4, 1)
    nodes = nodes.expand(2, 4, 2).to(dtype)
    cases.same_bits(operators.gather(x, nodes), reference.gather(x, nodes))
    grad = torch.randn(2, 4, 2)
    found = operators.scatter(grad, nodes, 3)
    cases.same_bits(found, reference.scatter(grad, nodes, 3))


def layouts(x):
    doubled = x.repeat_interleave(2, 0).repeat_interleave(2, 1).repeat_interleave(2, 2)
    return {
        "transposed": x.transpose(1, 2).contiguous().transpose(1, 2),
        "strided": doubled[::2, ::2, ::2],
        "expanded": x[:1, :, :1].expand_as(x),
        "negated lazily": torch._neg_view(-x),
    }


@pytest.mark.parametrize("layout", layouts(torch.zeros(1, 1, 1)))
@pytest.mark.parametrize("path", native.PATHS)
def test_memory_layout_does_not_matter(path, layout):
    x = layouts(cases.signal("normal", (3, 60, 33)))[layout]
    indptr, indices = (array.repeat_interleave(3)[::3] for array in rows(60))
    given = (x, indptr, indices, [1, 1, 2], False)
    with native.forced_path(path):
        values, nodes = operators.select(*given)
    expected = reference.select(*given)
    cases.same_bits(values, expected[0])
    cases.same_bits(nodes, expected[1])
    sent = operators.scatter(x, nodes.mT.contiguous().mT, 60)
    cases.same_bits(sent, reference.scatter(x.contiguous(), nodes, 60))


@st.composite
def small_cases(draw):
    num_nodes = draw(st.integers(1, 9))
    sets = st.sets(st.integers(0, num_nodes - 1))
    lists = [sorted(row) for row in draw(st.lists(sets, max_size=6))]
    indptr = torch.tensor([0, *(len(row) for row in lists)]).cumsum(0)
    indices = torch.tensor([j for row in lists for j in row], dtype=torch.int32)
    shape = (draw(st.integers(0, 5)), num_nodes, draw(st.integers(0, 10)))
    kind, seed = draw(st.sampled_from(cases.SIGNALS)), draw(st.integers(0, 99))
    x = cases.signal(kind, shape, draw(st.sampled_from([*FLOATS, *HALVES])), seed)
    return x, indptr, indices


@pytest.mark.parametrize("path", native.PATHS)
@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    case=small_cases(), rule=st.sampled_from(sorted(cases.RANKS)), skip=st.booleans()
)
def test_small_rows_select_what_the_reference_selects(path, case, rule, skip):
    given = (*case, list(cases.RANKS[rule]), skip)
    with native.forced_path(path):
        found = native.select(*given)
    expected = reference.select(*given)
    cases.same_bits(found[0], expected[0])
    cases.same_bits(found[1], expected[1])
