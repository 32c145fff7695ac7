"""The native sparse products against SciPy and plain torch."""

import numpy as np
import pytest
import scipy.sparse
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal import kernels
from vicinal.kernels import native, reference

native_only = pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)


def matrix(rows, columns, density, seed, dtype=np.float64):
    drawn = np.random.default_rng(seed)
    dense = drawn.normal(size=(rows, columns)) * (
        drawn.random((rows, columns)) < density
    )
    return scipy.sparse.csr_array(dense.astype(dtype))


def tensors(csr):
    ids = (torch.from_numpy(csr.indptr).long(), torch.from_numpy(csr.indices).int())
    return *ids, torch.from_numpy(csr.data)


@native_only
@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    shape=st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40)),
    density=st.sampled_from([0.0, 0.1, 0.6]),
    seed=st.integers(0, 99),
)
def test_a_product_is_that_of_scipy(shape, density, seed):
    rows, columns, signals = shape
    csr = matrix(rows, columns, density, seed)
    x = torch.randn(columns, signals, dtype=torch.float64)
    found = native.product(x, *tensors(csr))
    np.testing.assert_allclose(found.numpy(), csr @ x.numpy(), rtol=1e-12, atol=1e-12)


@native_only
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_product_is_that_of_plain_torch(dtype):
    csr = matrix(50, 70, 0.3, 1, np.float32)
    x = torch.randn(70, 33).to(dtype)
    found = native.product(x, *tensors(csr))
    expected = reference.product(x, *tensors(csr))
    assert found.dtype == expected.dtype == dtype
    torch.testing.assert_close(found, expected)


@native_only
def test_a_product_has_the_same_bits_for_any_number_of_threads():
    csr = matrix(400, 400, 0.3, 2, np.float32)
    x = torch.randn(400, 256)
    before, found = torch.get_num_threads(), []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        found.append(native.product(x, *tensors(csr)))
    torch.set_num_threads(before)
    assert found[0].equal(found[1])
    assert found[0].equal(found[2])


def bank(batch, nodes, features, taps, dtype=torch.float64):
    csr = matrix(nodes, nodes, 0.2, batch + features)
    x = torch.randn(batch, nodes, features, dtype=torch.float64).to(dtype)
    terms = torch.randn(batch, nodes, taps, features, dtype=torch.float64).to(dtype)
    return x, terms, tensors(csr)


SHAPES = [(0, 5, 2), (3, 0, 2), (3, 5, 0), (1, 40, 3), (70, 30, 1), (9, 60, 33)]


@native_only
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("taps", [1, 2, 5])
def test_powers_and_horner_are_those_of_plain_torch(shape, taps):
    x, terms, csr = bank(*shape, taps)
    for found, expected in (
        (native.powers(x, *csr, taps), reference.powers(x, *csr, taps)),
        (native.horner(terms, *csr), reference.horner(terms, *csr)),
    ):
        torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


@native_only
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_powers_and_horner_round_once(dtype):
    x, terms, csr = bank(4, 50, 3, 3, dtype)
    wide = native.powers(x.float(), *csr, 3), native.horner(terms.float(), *csr)
    found = native.powers(x, *csr, 3), native.horner(terms, *csr)
    plain = reference.powers(x, *csr, 3), reference.horner(terms, *csr)
    for one, other, exact in zip(found, plain, wide, strict=True):
        assert one.equal(exact.to(dtype))
        torch.testing.assert_close(one, other)


@native_only
@pytest.mark.parametrize("shape", [(1, 400, 70), (40, 300, 33), (2, 900, 3)])
def test_powers_and_horner_have_the_same_bits_for_any_number_of_threads(shape):
    x, terms, csr = bank(*shape, 4)
    before, found = torch.get_num_threads(), []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        found.append((native.powers(x, *csr, 4), native.horner(terms, *csr)))
    torch.set_num_threads(before)
    for powers, horner in found[1:]:
        assert powers.equal(found[0][0])
        assert horner.equal(found[0][1])


@native_only
def test_powers_of_one_signal_do_not_depend_on_the_others():
    x, _, csr = bank(50, 60, 1, 4)
    together = native.powers(x, *csr, 4)
    assert native.powers(x[:1], *csr, 4).equal(together[:1])
