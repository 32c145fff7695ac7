"""Native combinations and their gradients against the reference; threads; layouts."""

import pytest
import torch
from kernels import cases

from vicinal import kernels
from vicinal.kernels import hops as hops_twin
from vicinal.kernels import native, operators, reference

pytestmark = pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)
FLOATS = [torch.float32, torch.float64]
KINDS = ["normal", "tied", "zeros", "nan", "smooth"]


def stack(num_nodes, hops):
    """Rows of one digraph per hop on top of each other."""
    parts = [cases.digraph(num_nodes, 4.0 * k, seed=k) for k in range(1, hops + 1)]
    indptr = [torch.zeros(1, dtype=torch.int64)]
    for starts, _ in parts:
        indptr.append(indptr[-1][-1] + starts[1:])
    indices = [torch.zeros(0, dtype=torch.int32), *(ids for _, ids in parts)]
    return torch.cat(indptr), torch.cat(indices)


def magnitudes(x, weight, nodes):
    """Sums of absolute terms, in double: of the combination, of the weights' gradient.

    Rounding is relative to these; the sums themselves may cancel.
    """
    wide, factors = x.double(), weight.double().abs()
    grad = cases.signal("normal", tuple(x.shape), x.dtype, seed=9).double().abs()
    terms = [wide, *reference.gather(wide, nodes).split(x.size(1), 1)][: len(weight)]
    total = sum(w * t.abs() for w, t in zip(factors, terms, strict=True))
    return total, reference.combine_backward(grad, wide.abs(), factors, nodes)[1]


def check_combination(x, weight, structure, rule, skip_nan=False):
    found = cases.combination(native, x, weight, structure, rule, skip_nan)
    expected = cases.combination(reference, x, weight, structure, rule, skip_nan)
    total, sent = magnitudes(x, weight, expected[1])
    cases.same_bits(found[1], expected[1])
    cases.same_bits(found[2], expected[2])
    cases.close(found[0], expected[0], total)
    grad = cases.signal("normal", tuple(x.shape), x.dtype, seed=9).double()
    exact = reference.combine_backward(grad, x.double(), weight.double(), expected[1])
    cases.close(found[3], exact[1].to(weight.dtype), sent)


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hops", [0, 1, 3])
def test_every_path_combines_as_the_reference(path, kind, hops):
    structure = stack(60, hops)
    draws = zip(cases.RANKS, FLOATS * 3, (1, 3, 8, 32, 33, 40), strict=True)
    for at, (rule, dtype, features) in enumerate(draws):
        x = cases.signal(kind, (2, 60, features), dtype)
        weight = cases.weights(hops, features, at % 2 == 0, dtype)
        with native.forced_path(path):
            check_combination(x, weight, structure, cases.RANKS[rule], at % 3 == 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("hops", [0, 1, 2, 4])
def test_iterated_maxima_combine_as_the_reference(kind, dtype, hops):
    structure = cases.digraph(60)
    for at, features in enumerate((1, 3, 8, 32, 33, 65)):
        x = cases.signal(kind, (2, 60, features), dtype)
        weight = cases.weights(hops, features, at % 2 == 0, dtype)
        check_combination(x, weight, structure, None, at % 3 == 0)


@pytest.mark.parametrize("batch", [0, 1, 3, 40])
@pytest.mark.parametrize("num_nodes", [1, 7, 60])
@pytest.mark.parametrize("per_feature", [False, True])
def test_combinations_of_every_batch(batch, num_nodes, per_feature):
    x = cases.signal("normal", (batch, num_nodes, 3))
    weight = cases.weights(2, 3, per_feature, x.dtype)
    check_combination(x, weight, stack(num_nodes, 2), cases.RANKS["upper"])
    check_combination(x, weight, cases.digraph(num_nodes), None)


@pytest.mark.parametrize("rule", ["upper", None])
def test_combinations_of_strided_tensors(rule):
    x = cases.signal("normal", (33, 60, 3)).transpose(0, 2)  # (3, 60, 33)
    weight = cases.weights(1, 33, True, x.dtype).T.contiguous().T
    assert not x.is_contiguous()
    assert not weight.is_contiguous()
    given = (cases.digraph(60), rule and cases.RANKS[rule])
    for found, expected in zip(
        cases.combination(operators, x, weight, *given),
        cases.combination(native, x.contiguous(), weight.contiguous(), *given),
        strict=True,
    ):
        cases.same_bits(found, expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_combines_by_the_rules_of_torch(dtype):
    x, structure = cases.signal("tied", (2, 60, 8), dtype), cases.digraph(60)
    weight = cases.weights(1, 8, False, dtype)
    for found, expected in zip(
        cases.combination(operators, x, weight, structure, (1, 1, 2)),
        cases.combination(reference, x, weight, structure, (1, 1, 2)),
        strict=True,
    ):
        cases.same_bits(found, expected)


# --- threads --------------------------------------------------------------------------


@pytest.fixture
def threads():
    """Set the number of threads for one test."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


SHAPES = [(1, 1500, 33), (20, 300, 8), (40, 300, 1)]


@pytest.mark.parametrize("path", native.PATHS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_selections_have_the_same_bits_for_any_number_of_threads(
    threads, path, shape, dtype
):
    structure = cases.digraph(shape[1], 20.0)
    x = cases.signal("nan" if dtype == torch.float64 else "tied", shape, dtype)
    weight = cases.weights(1, shape[2], True, dtype)
    results = []
    for count in (1, 2, 3):
        threads(count)
        with native.forced_path(path):
            found = native.select(x, *structure, [1, 1, 2], False)
            combined = cases.combination(native, x, weight, structure, (1, 1, 2))
        results.append([*found, *combined])
    for several in results[1:]:
        for found, expected in zip(several, results[0], strict=True):
            cases.same_bits(found, expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_rest_has_the_same_bits_for_any_number_of_threads(threads, shape, dtype):
    structure = cases.digraph(shape[1], 3.0)
    x = cases.signal("normal", shape, dtype)
    weight = cases.weights(3, shape[2], False, dtype)
    results = []
    for count in (1, 2, 3):
        threads(count)
        values, nodes = native.maxima(x, *structure, 3, False)
        balls = native.select_balls(x, *structure, 2, [1, 0, 2], False)
        sent = native.scatter(values, nodes, shape[1])
        back = native.gather(x, nodes)
        combined = cases.combination(native, x, weight, structure, None)
        results.append([values, nodes, *balls, sent, back, *combined])
    for several in results[1:]:
        for found, expected in zip(several, results[0], strict=True):
            cases.same_bits(found, expected)


@pytest.mark.parametrize("hops", [0, 1, 3])
@pytest.mark.parametrize("num_nodes", [7, 300])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_balls_on_the_fly_combine_as_stored_ones(hops, num_nodes, dtype):
    structure = cases.digraph(num_nodes, degree=2)
    stored = hops_twin.balls(*structure, hops, False, lambda entries: None)
    x = cases.signal("normal", (2, num_nodes, 33), dtype)
    weight = cases.weights(hops, 33, True, dtype)
    rest = [1, 1, 2], False, True
    found, nodes = native.combine(x, weight, *structure, *rest, on_the_fly=True)
    expected, chosen = reference.combine(x, weight, *stored, *rest)
    cases.same_bits(nodes, chosen)
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)
