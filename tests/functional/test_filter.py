"""Graph filters against powers of a dense matrix in NumPy."""

import dataclasses

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import vicinal as vc
from vicinal.functional import graph_filter, shift_powers, tap_sum

FORMS = ["auto", "powers", "horner"]
WIDTHS = [(1, 4), (3, 3), (4, 1)]  # inputs fewer, as many, more than outputs


def graph(num_nodes=9, p=0.3):
    """A weighted directed graph with a cycle; sparse or dense as p says."""
    generator = torch.Generator().manual_seed(1)
    matrix = torch.randn(num_nodes, num_nodes, generator=generator, dtype=torch.float64)
    mask = torch.rand(num_nodes, num_nodes, generator=generator) < p
    mask[range(num_nodes), range(-1, num_nodes - 1)] = True
    return vc.Graph.from_dense(matrix * mask)


def shift(p=0.3):
    """The adjacency, without its dense twin where it is sparse."""
    made = graph(p=p).shift("adjacency", scaled=False, dtype=torch.float64)
    return dataclasses.replace(made, dense=None) if p < 0.2 else made


def case(inputs, outputs, *leading, taps=4):
    x = torch.randn(*leading, 9, inputs, dtype=torch.float64)
    return x, torch.randn(taps, inputs, outputs, dtype=torch.float64)


def by_powers(x, matrix, weight):
    """Sum of S^k x h_k, in NumPy."""
    s, x, weight = (np.asarray(t.detach()) for t in (matrix, x, weight))
    return sum(np.linalg.matrix_power(s, k) @ x @ weight[k] for k in range(len(weight)))


def same(found, expected):
    expected = torch.as_tensor(expected)
    torch.testing.assert_close(found, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("p", [0.1, 0.9])  # a sparse and a dense product
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("inputs", "outputs"), WIDTHS)
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_every_form_sums_powers_of_the_shift(p, form, inputs, outputs, leading):
    x, weight = case(inputs, outputs, *leading)
    found = graph_filter(x, shift(p), weight, form=form)
    same(found, by_powers(x, graph(p=p).to_dense(), weight))


def test_both_products_are_tested_above():
    assert shift(0.1).dense is None
    assert shift(0.9).dense is not None


@pytest.mark.parametrize("p", [0.1, 0.9])
@pytest.mark.parametrize(("inputs", "outputs"), WIDTHS)
def test_all_forms_have_the_same_gradients(p, inputs, outputs):
    x, weight = case(inputs, outputs, 2)
    x.requires_grad_()
    weight.requires_grad_()
    matrix = graph(p=p).to_dense()
    powers = [torch.linalg.matrix_power(matrix, k) for k in range(4)]
    dense = sum(s @ x @ h for s, h in zip(powers, weight, strict=True))
    expected = torch.autograd.grad(dense.sin().sum(), (x, weight))
    for form in FORMS:
        y = graph_filter(x, shift(p), weight, form=form).sin().sum()
        for found, right in zip(
            torch.autograd.grad(y, (x, weight)), expected, strict=True
        ):
            same(found, right)


@pytest.mark.parametrize("form", FORMS)
def test_one_tap_does_not_look_around(form):
    x, weight = case(2, 3, taps=1)
    same(graph_filter(x, shift(), weight, form=form), x @ weight[0])


@pytest.mark.parametrize("form", FORMS)
def test_bias_is_added_to_every_node(form):
    x, weight = case(2, 3)
    bias = torch.randn(3, dtype=torch.float64)
    plain = graph_filter(x, shift(), weight, form=form)
    same(graph_filter(x, shift(), weight, bias, form=form), plain + bias)


@pytest.mark.parametrize("form", FORMS)
def test_filters_are_linear(form):
    (x, weight), (y, _) = case(2, 3), case(2, 3)

    def bank(z):
        return graph_filter(z, shift(), weight, form=form)

    same(bank(2.5 * x - 3 * y), 2.5 * bank(x) - 3 * bank(y))


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("inputs", "outputs"), WIDTHS)
def test_sparse_inputs_give_what_dense_ones_give(layout, form, inputs, outputs):
    x, weight = case(inputs, outputs)
    x *= torch.rand(9, inputs) < 0.3
    weight.requires_grad_()
    expected = graph_filter(x, shift(), weight)
    (expected_gradient,) = torch.autograd.grad(expected.sin().sum(), weight)
    found = graph_filter(x.to_sparse(layout=layout), shift(), weight, form=form)
    assert found.layout == torch.strided
    same(found, expected)
    (gradient,) = torch.autograd.grad(found.sin().sum(), weight)
    same(gradient, expected_gradient)


class Shapes(TorchDispatchMode):
    """Record the shape of every strided tensor that torch makes."""

    def __init__(self):
        super().__init__()
        self.made = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if isinstance(tensor, torch.Tensor) and tensor.layout == torch.strided:
                self.made.add(tuple(tensor.shape))
        return result


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
@pytest.mark.parametrize("form", FORMS)
def test_sparse_inputs_are_never_made_dense(layout, form):
    x, operator = torch.eye(9, 20, dtype=torch.float64), shift()
    sparse, shapes = x.to_sparse(layout=layout), Shapes()
    weight = torch.randn(2, 20, 3, dtype=torch.float64, requires_grad=True)
    with shapes:
        graph_filter(sparse, operator, weight, form=form).sum().backward()
    assert shapes.made >= {(9, 3), (2, 20, 3)}
    assert not shapes.made & {(9, 20), (20, 9), (2, 9, 20)}


@pytest.mark.parametrize("p", [0.1, 0.9])
def test_shift_powers_stack_what_never_changes(p):
    x, weight = case(2, 3, 2)
    powers = shift_powers(x, shift(p), taps=4)
    s = graph(p=p).to_dense()
    for k in range(4):
        same(powers[k], torch.linalg.matrix_power(s, k) @ x)
    same(tap_sum(powers, weight), graph_filter(x, shift(p), weight))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("p", [0.1, 0.9])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_stays_near_and_keeps_its_dtype(form, p, dtype):
    x, weight = (t.to(dtype) for t in case(2, 3))
    scaled = graph(p=p).shift(dtype=dtype)
    found = graph_filter(x, scaled, weight, form=form)
    assert found.dtype == dtype
    expected = by_powers(x.double(), scaled.to_dense().double(), weight.double())
    atol = 64 * torch.finfo(dtype).eps  # a few roundings of values near 4
    torch.testing.assert_close(
        found.double(), torch.as_tensor(expected), rtol=0, atol=atol
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("p", [0.1, 0.9])
@pytest.mark.parametrize("shape", [(0, 9, 2), (3, 0, 9, 2)])
def test_no_signals_give_no_results(form, p, shape):
    weight = torch.ones(3, 2, 4, dtype=torch.float64)
    x = torch.zeros(shape, dtype=torch.float64)
    assert graph_filter(x, shift(p), weight, form=form).shape == (*shape[:-1], 4)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("form", FORMS)
def test_the_signal_decides_the_precision(form, dtype):
    x, weight = case(2, 3)
    x, bias, single = x.to(dtype), torch.ones(3), graph(p=0.1).shift()
    found = graph_filter(x, single, weight.float(), bias, form=form)
    assert found.dtype == dtype
    expected = graph_filter(x, single, weight.float().to(dtype), form=form) + 1
    torch.testing.assert_close(found, expected)
