"""Shift operators by name: matrices with the support of the graph."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg
import torch

from vicinal.graphs.sparse import SparseMatrix

__all__ = ["SHIFTS", "shift_operator", "spectral_radius"]

Matrix = Any  # scipy.sparse.csr_array, whose stubs do not follow its arithmetic

_LARGEST_DENSE = 2000
_ROUNDS = 500  # of ARPACK, before something else is tried
_SMALL = 64  # below, a dense eigenvalue solver is faster and never fails


def adjacency(a: Matrix) -> Matrix:
    """A, weighted: row i holds the edges that enter node i."""
    return a


def unweighted(a: Matrix) -> Matrix:
    """N, one for every edge."""
    return scipy.sparse.csr_array((np.ones(a.nnz), a.indices, a.indptr), shape=a.shape)


def self_loops(a: Matrix) -> Matrix:
    """I + N."""
    n = unweighted(a)
    return n - scipy.sparse.diags_array(n.diagonal()) + _identity(a)


def laplacian(a: Matrix) -> Matrix:
    """diag(A 1) - A."""
    return scipy.sparse.diags_array(a.sum(axis=1)) - a


def unweighted_laplacian(a: Matrix) -> Matrix:
    """diag(N 1) - N."""
    return laplacian(unweighted(a))


def random_walk(a: Matrix) -> Matrix:
    """D^-1 A: rows sum to one, rows without weight stay zero."""
    return _scaled(_power(a, -1.0), a)


def symmetric(a: Matrix) -> Matrix:
    """D^-1/2 A D^-1/2 with in-degrees D = diag(A 1)."""
    half = _power(a, -0.5)
    return _scaled(half, a) @ scipy.sparse.diags_array(half)


def random_walk_with_self_loops(a: Matrix) -> Matrix:
    """(D + I)^-1 (A + I)."""
    return random_walk(a + _identity(a))


def symmetric_with_self_loops(a: Matrix) -> Matrix:
    """(D + I)^-1/2 (A + I) (D + I)^-1/2, the propagation of a GCN."""
    return symmetric(a + _identity(a))


SHIFTS: dict[str, Callable[[Matrix], Matrix]] = {
    shift.__name__: shift
    for shift in (
        adjacency,
        unweighted,
        self_loops,
        laplacian,
        unweighted_laplacian,
        random_walk,
        symmetric,
        random_walk_with_self_loops,
        symmetric_with_self_loops,
    )
}


def shift_operator(
    a: Matrix, name: str, scaled: bool, dtype: torch.dtype
) -> SparseMatrix:
    """Build the shift operator ``name`` from the weighted adjacency."""
    matrix: Matrix = scipy.sparse.csr_array(SHIFTS[name](a.astype(np.float64)))
    if scaled:
        radius = spectral_radius(matrix)
        if radius == 0:
            raise ValueError(
                f"`graph` must have cycles for the shift {name!r} to be divided by its "
                "spectral radius, got radius 0; pass `scaled=False`"
            )
        matrix = matrix / radius
    return SparseMatrix.from_scipy(matrix, dtype)


def spectral_radius(matrix: Matrix) -> float:
    """Largest absolute eigenvalue, also of a directed graph.

    Example:
        >>> import scipy.sparse
        >>> round(spectral_radius(scipy.sparse.csr_array([[0.0, 4.0], [1.0, 0.0]])), 6)
        2.0
    """
    count, piece = scipy.sparse.csgraph.connected_components(
        matrix, directed=True, connection="strong"
    )
    alone = np.bincount(piece, minlength=count)[piece] == 1
    radius = abs(matrix.diagonal())[alone].max(initial=0.0)
    order = np.flatnonzero(~alone)
    order = order[np.argsort(piece[order], kind="stable")]
    cuts = np.flatnonzero(np.diff(piece[order])) + 1
    for nodes in np.split(order, cuts) if len(order) else ():
        radius = max(radius, _radius_of_piece(matrix[nodes][:, nodes]))
    return float(radius)


def _radius_of_piece(matrix: Matrix) -> float:
    """Of a matrix whose nodes all lead to each other."""
    size, sums = matrix.shape[0], matrix.sum(axis=1)
    if size > _SMALL and matrix.min() >= 0 and sums.min() == sums.max():
        return float(sums.max())  # it lies between the smallest and the largest sum
    if size <= _SMALL:
        return float(np.abs(np.linalg.eigvals(matrix.toarray())).max())
    solve: Any = scipy.sparse.linalg.eigs
    if abs(matrix - matrix.T).max() == 0:
        solve = scipy.sparse.linalg.eigsh
    start = np.random.default_rng(0).random(size)  # fixed: the same result every time
    for tolerance in (0.0, 1e-7):  # as exact as can be; else as float32 can tell
        try:
            found = solve(
                matrix, k=1, v0=start, ncv=min(size - 1, 40), tol=tolerance,
                maxiter=_ROUNDS, return_eigenvectors=False,
            )  # fmt: skip
        except scipy.sparse.linalg.ArpackNoConvergence:
            continue
        return float(np.abs(found).max())
    if size > _LARGEST_DENSE:
        raise ValueError(
            f"`graph` must have a spectral radius that can be found, got {size} nodes "
            "without convergence; pass `scaled=False`"
        )
    return float(np.abs(np.linalg.eigvals(matrix.toarray())).max())


def _identity(a: Matrix) -> Matrix:
    return scipy.sparse.eye_array(a.shape[0], format="csr")


def _power(a: Matrix, exponent: float) -> "np.typing.NDArray[np.float64]":
    degree = np.asarray(a.sum(axis=1))
    mass = np.asarray(abs(a).sum(axis=1))
    if ((degree <= 0) & (mass > 0)).any():
        raise ValueError(
            f"`graph` must have weighted in-degrees above 0 to be normalised, got "
            f"{degree[mass > 0].min()}; use the shift 'adjacency' for signed weights"
        )
    powers = np.zeros_like(degree)
    np.power(degree, exponent, out=powers, where=degree > 0)
    return cast("np.typing.NDArray[np.float64]", powers)


def _scaled(factors: "np.typing.NDArray[np.float64]", a: Matrix) -> Matrix:
    return scipy.sparse.diags_array(factors) @ a
