"""Reverse-mode gradients: right, twice, reproducible, and stored only when needed."""

import brute
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

from vicinal import kernels
from vicinal.kernels import native, rank, reference

pytestmark = pytest.mark.filterwarnings(  # torch's forward mode compiles with it
    "ignore:`torch.jit.script` is deprecated:DeprecationWarning"
)

ROWS = [{0, 1, 2, 3}, {2}, set(), {1, 3}, {0, 4}, {1, 2, 4}]  # over five nodes
STEP = [{0, 1, 4}, {1, 2}, {2}, {0, 2, 3}, {0, 3, 4}]  # one row per node


def matrix():
    """A sparse 2 x 3 matrix and its transpose, in CSR form."""
    weight = torch.tensor([2.0, 3.0, 5.0], dtype=torch.float64)
    rows = (torch.tensor([0, 2, 3]), torch.tensor([0, 2, 1]), weight)
    columns = (torch.tensor([0, 1, 2, 3]), torch.tensor([0, 1, 0]), weight[[0, 2, 1]])
    return rows, columns


def square():
    """A sparse 5 x 5 matrix and its transpose, in CSR form."""
    weight = torch.tensor([2.0, 3.0, 0.5, 1.0], dtype=torch.float64)
    rows = (torch.tensor([0, 2, 3, 3, 3, 4]), torch.tensor([0, 2, 1, 0]), weight)
    ids = (torch.tensor([0, 2, 3, 4, 4, 4]), torch.tensor([0, 4, 1, 0]))
    return rows, (*ids, weight[[0, 3, 2, 1]])


NOBODY = (torch.zeros(1, dtype=torch.int64), torch.zeros(0, dtype=torch.int32))
FUNCTIONS = {
    "max": lambda x: kernels.select(x, *brute.csr(ROWS), rank.MAX)[0],
    "median": lambda x: kernels.select(x, *brute.csr(ROWS), rank.UPPER_MEDIAN)[0],
    "shared": lambda x: kernels.select_shared(x, *brute.csr(ROWS), rank.MIN)[0],
    "maxima": lambda x: kernels.maxima(x, *brute.csr(STEP), 2)[0],
    "no hops": lambda x: kernels.combine(x, x[0, :1, 0], *NOBODY, rank.MAX),
    "product": lambda x: kernels.product(x[0, :3], *matrix()),
    "powers": lambda x: kernels.powers(x, *square(), 3),
    "horner": lambda x: kernels.horner(x.unsqueeze(2).expand(-1, -1, 3, -1), *square()),
}


def without_ties():
    return torch.randperm(30).double().view(2, 5, 3).requires_grad_()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_those_of_finite_differences(name):
    assert gradcheck(FUNCTIONS[name], without_ties(), check_forward_ad=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_can_be_differentiated_again(name):
    x = without_ties()
    assert gradgradcheck(lambda x: FUNCTIONS[name](x.sin()), x)


def test_a_fixed_matrix_multiplies_as_numpy_does():
    rows, columns = matrix()
    dense = torch.tensor([[2.0, 0, 3], [0, 5, 0]], dtype=torch.float64)
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    y = kernels.product(x, rows, columns)
    torch.testing.assert_close(y, dense @ x, rtol=0, atol=1e-14)
    (found,) = torch.autograd.grad(y, x, torch.ones_like(y))
    torch.testing.assert_close(found, dense.T @ torch.ones_like(y), rtol=0, atol=1e-14)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(
    rows=st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=4),
    x=brute.signals((2, 5, 1), brute.HARD),
    rule=st.sampled_from([(rank.MAX, brute.maximum), (rank.UPPER_MEDIAN, brute.upper)]),
    skip_nan=st.booleans(),
)
def test_the_selected_node_gets_the_whole_gradient(rows, x, rule, skip_nan):
    grad = torch.arange(1.0, 1 + 2 * len(rows), dtype=x.dtype).view(2, -1, 1)
    values, nodes = kernels.select(
        x.requires_grad_(), *brute.csr(rows), rule[0], skip_nan
    )
    (found,) = torch.autograd.grad(values, x, grad)
    expected = torch.zeros_like(x)
    for b in range(2):
        for m in range(len(rows)):
            if nodes[b, m, 0] >= 0:
                expected[b, nodes[b, m, 0], 0] += grad[b, m, 0]
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(
    rows=st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=4),
    x=brute.signals((2, 5, 1), brute.HARD),
    rule=st.sampled_from([(rank.MAX, brute.maximum), (rank.UPPER_MEDIAN, brute.upper)]),
    skip_nan=st.booleans(),
)
def test_tied_nodes_share_the_gradient(rows, x, rule, skip_nan):
    grad = torch.arange(1.0, 1 + 2 * len(rows), dtype=x.dtype).view(2, -1, 1)
    expected = brute.shared_gradient(x, rows, rule[1], grad, skip_nan)
    x.requires_grad_()
    values, _ = kernels.select_shared(x, *brute.csr(rows), rule[0], skip_nan)
    (found,) = torch.autograd.grad(values, x, grad)
    torch.testing.assert_close(found, expected, rtol=1e-14, atol=0)


def test_shares_are_double_precision_in_double_precision():
    x = torch.ones(1, 3, 1, dtype=torch.float64, requires_grad=True)
    values, _ = kernels.select_shared(x, *brute.csr([{0, 1, 2}]), rank.MAX)
    values.sum().backward()
    assert x.grad.flatten().tolist() == [1 / 3] * 3


HUB = [{0, 1}] * 4096  # every row selects node 1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("operator", [kernels.select, kernels.select_shared])
def test_half_precision_gradients_are_summed_in_float32(dtype, operator):
    x = torch.tensor([0.0, 1.0], dtype=dtype).view(1, 2, 1).requires_grad_()
    values, _ = operator(x, *brute.csr(HUB), rank.MAX)
    values.sum().backward()
    assert x.grad.dtype == values.dtype == dtype
    assert x.grad.flatten().tolist() == [0, 4096]  # a sum in half precision stalls


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_maxima_have_gradients_summed_in_float32(dtype):
    x = torch.zeros(1, 4097, 1, dtype=dtype)
    x[0, 0] = 1
    step = [{0, i} for i in range(4097)]
    kernels.maxima(x.requires_grad_(), *brute.csr(step), 1)[0].sum().backward()
    assert x.grad[0, 0].item() == torch.tensor(4097.0).to(dtype)


@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_and_gradients_repeat_bit_for_bit(name, deterministic):
    x = torch.randn(2, 5, 300, dtype=torch.float64, requires_grad=True)

    def both():
        y = FUNCTIONS[name](x)
        (gradient,) = torch.autograd.grad(y.sin().sum(), x)
        return y, gradient

    first = both()
    torch.use_deterministic_algorithms(deterministic)
    try:
        for _ in range(3):
            for again, before in zip(both(), first, strict=True):
                assert again.equal(before)
    finally:
        torch.use_deterministic_algorithms(False)


@pytest.mark.parametrize("operator", [kernels.select, kernels.select_shared])
def test_a_hub_sums_its_gradient_in_one_order(operator):
    x = torch.randn(2, 2, 16, requires_grad=True)
    values, _ = operator(x, *brute.csr(HUB), rank.MAX)
    sent = torch.randn_like(values)
    first, *others = (
        torch.autograd.grad(values, x, sent, retain_graph=True)[0] for _ in range(4)
    )
    assert all(other.equal(first) for other in others)


def stored(function, x):
    """Tensors kept for the backward pass."""
    kept = []

    def keep(tensor):
        kept.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        function(x)
    return kept


@pytest.mark.parametrize(
    "name", ["max", "median", "shared", "maxima", "product", "powers", "horner"]
)
def test_without_gradient_nothing_is_stored(name):
    assert stored(FUNCTIONS[name], torch.randn(2, 5, 3, dtype=torch.float64)) == []
    with torch.no_grad():
        assert stored(FUNCTIONS[name], without_ties()) == []


@pytest.mark.parametrize("name", ["max", "median", "maxima"])
def test_with_gradient_only_the_selected_nodes_are_stored(name):
    (nodes,) = stored(FUNCTIONS[name], without_ties())
    assert nodes.dtype == torch.int32
    assert nodes.shape == FUNCTIONS[name](without_ties()).shape


def test_selected_nodes_have_no_gradient():
    for operator in (kernels.select, kernels.select_shared):
        _, nodes = operator(without_ties(), *brute.csr(ROWS), rank.MAX)
        assert not nodes.requires_grad


@pytest.mark.parametrize("name", ["reference", "native"])
def test_the_gradient_of_a_weight_is_exact_where_all_select_one_node(name):
    if name == "native" and kernels.active_path() == "reference":
        pytest.skip("VICINAL_KERNELS=reference")
    loops = {"reference": reference, "native": native}[name]
    x, grad = torch.ones(1, 200_000, 1), torch.full((1, 200_000, 1), 0.1)
    hub = torch.zeros(1, 200_000, 1, dtype=torch.int32)
    grad_x, by_weight = loops.combine_backward(grad, x, torch.ones(2), hub)
    exact = 200_000 * float(torch.tensor(0.1))
    assert by_weight.tolist() == pytest.approx([exact, exact], rel=1e-7)
    assert float(grad_x[0, 0, 0]) == pytest.approx(exact + 0.1, rel=1e-7)
