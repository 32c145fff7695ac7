"""A fixed sparse matrix applied along the node dimension, dense where that is faster.

Products work on columns ``(N, C)``: all signals and features side by side.
"""

import math

import torch
from torch import Tensor

from vicinal import kernels
from vicinal.graphs import SparseMatrix

__all__ = ["horner", "multiply", "powers", "to_columns", "to_signals"]


def to_columns(x: Tensor) -> Tensor:
    """Turn signals ``(..., N, F)`` into columns ``(N, C)``."""
    rest = math.prod(x.shape[:-2]) * x.size(-1)
    return x.movedim(-2, 0).reshape(x.size(-2), rest)


def to_signals(columns: Tensor, leading: tuple[int, ...], features: int) -> Tensor:
    """Turn columns ``(M, C)`` back into signals ``(*leading, M, features)``."""
    return columns.view(columns.size(0), *leading, features).movedim(0, -2)


def multiply(matrix: SparseMatrix, columns: Tensor) -> Tensor:
    """Multiply ``(M, N)`` by ``(N, C)``."""
    if matrix.dense is not None and matrix.is_faster_dense(columns.size(1)):
        return matrix.dense.to(columns.dtype) @ columns
    return kernels.product(columns, matrix.rows, matrix.columns)


def powers(
    matrix: SparseMatrix,
    x: Tensor,  # shape: (..., N, F)
    taps: int,
) -> Tensor:  # shape: (..., N, taps, F)
    """Multiply by the powers 0, ..., taps - 1 of a square matrix."""
    leading, (nodes, features) = x.shape[:-2], x.shape[-2:]
    columns = math.prod(leading) * features
    if matrix.dense is not None and matrix.is_faster_dense(columns):
        shifted, dense = [to_columns(x)], matrix.dense.to(x.dtype)
        for _ in range(taps - 1):
            shifted.append(dense @ shifted[-1])
        stacked = torch.stack(shifted).view(taps, nodes, *leading, features)
        return stacked.movedim((0, 1), (-2, -3))
    batch = x.reshape(math.prod(leading), nodes, features)
    found = kernels.powers(batch, matrix.rows, matrix.columns, taps)
    return found.view(*leading, nodes, taps, features)


def horner(
    matrix: SparseMatrix,
    terms: Tensor,  # shape: (..., N, taps, F)
) -> Tensor:  # shape: (..., N, F)
    """Sum the terms, each multiplied by its power: t_0 + S (t_1 + S (t_2 + ...))."""
    leading, (nodes, taps, features) = terms.shape[:-3], terms.shape[-3:]
    columns = math.prod(leading) * features
    if matrix.dense is not None and matrix.is_faster_dense(columns):
        *others, u = (to_columns(term) for term in terms.unbind(-2))
        for term in reversed(others):
            u = torch.addmm(term, matrix.dense.to(u.dtype), u)
        return to_signals(u, leading, features)
    batch = terms.reshape(math.prod(leading), nodes, taps, features)
    found = kernels.horner(batch, matrix.rows, matrix.columns)
    return found.view(*leading, nodes, features)
