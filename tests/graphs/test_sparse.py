"""SparseMatrix: rows, their transpose, and a dense twin where one is worth it."""

import numpy as np
import pytest
import scipy.sparse
import torch

from vicinal.graphs import SparseMatrix


def random_matrix(shape, density):
    return scipy.sparse.random_array(
        shape, density=density, rng=np.random.default_rng(0)
    )


def dense_of(csr, shape):
    """A plain loop over stored entries."""
    indptr, indices, weight = (tensor.tolist() for tensor in csr)
    dense = np.zeros(shape)
    for row in range(shape[0]):
        for at in range(indptr[row], indptr[row + 1]):
            dense[row, indices[at]] += weight[at]
    return dense


CASES = [((4, 4), 0.9), ((30, 30), 0.02), ((5, 12), 0.3), ((12, 5), 0.0), ((1, 1), 1.0)]


@pytest.mark.parametrize(("shape", "density"), CASES)
def test_rows_columns_and_dense_hold_the_same_matrix(shape, density):
    theirs = random_matrix(shape, density)
    ours = SparseMatrix.from_scipy(theirs, torch.float64)
    expected = theirs.toarray()
    assert ours.shape == shape
    assert np.array_equal(ours.to_dense().numpy(), expected)
    assert np.array_equal(dense_of(ours.rows, shape), expected)
    assert np.array_equal(dense_of(ours.columns, shape[::-1]), expected.T)


def test_full_and_small_matrices_have_a_dense_twin():
    full = SparseMatrix.from_scipy(random_matrix((300, 300), 0.9))
    small = SparseMatrix.from_scipy(random_matrix((50, 50), 0.02))
    sparse = SparseMatrix.from_scipy(random_matrix((300, 300), 0.02))
    large = SparseMatrix.from_scipy(scipy.sparse.eye_array(5000))
    assert torch.equal(full.dense, full.to_dense())
    assert torch.equal(small.dense, small.to_dense())
    assert sparse.dense is None
    assert large.dense is None


def test_a_small_sparse_matrix_is_dense_for_few_columns_only():
    full = SparseMatrix.from_scipy(random_matrix((50, 50), 0.9))
    small = SparseMatrix.from_scipy(random_matrix((50, 50), 0.02))
    sparse = SparseMatrix.from_scipy(random_matrix((300, 300), 0.02))
    assert [m.is_faster_dense(8) for m in (full, small, sparse)] == [True, True, False]
    assert [m.is_faster_dense(5000) for m in (full, small)] == [True, False]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
def test_every_sparse_format_is_taken(form):
    theirs = random_matrix((6, 6), 0.4)
    ours = SparseMatrix.from_scipy(theirs.asformat(form), torch.float64)
    assert np.array_equal(ours.to_dense().numpy(), theirs.toarray())


def test_columns_of_a_row_are_sorted():
    unsorted = scipy.sparse.csr_array(([1.0, 2.0], [2, 0], [0, 2]), shape=(1, 3))
    assert SparseMatrix.from_scipy(unsorted).rows[1].tolist() == [0, 2]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_entries_have_the_type_asked_for(dtype):
    ours = SparseMatrix.from_scipy(random_matrix((4, 4), 0.9), dtype)
    assert ours.rows[2].dtype == ours.columns[2].dtype == ours.dense.dtype == dtype
    assert (ours.rows[0].dtype, ours.rows[1].dtype) == (torch.int64, torch.int32)


@pytest.mark.parametrize("density", [0.02, 0.9])
def test_a_matrix_moves_with_all_its_parts(density):
    moved = SparseMatrix.from_scipy(random_matrix((30, 30), density)).to("meta")
    assert moved.shape == (30, 30)
    parts = [*moved.rows, *moved.columns, *([moved.dense] if density > 0.5 else [])]
    assert {part.device.type for part in parts} == {"meta"}
