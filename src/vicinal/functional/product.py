"""A fixed sparse matrix applied along the node dimension.

Products work on columns ``(N, C)``: all signals and features side by side. A chain of
products turns its signals into columns once, and back once.
"""

import math

from torch import Tensor

from vicinal import kernels
from vicinal.graphs import SparseMatrix

__all__ = ["multiply", "to_columns", "to_signals"]


def to_columns(x: Tensor) -> Tensor:
    """Turn signals ``(..., N, F)`` into columns ``(N, C)``."""
    rest = math.prod(x.shape[:-2]) * x.size(-1)
    return x.movedim(-2, 0).reshape(x.size(-2), rest)


def to_signals(columns: Tensor, leading: tuple[int, ...], features: int) -> Tensor:
    """Turn columns ``(M, C)`` back into signals ``(*leading, M, features)``."""
    return columns.view(columns.size(0), *leading, features).movedim(0, -2)


def multiply(matrix: SparseMatrix, columns: Tensor) -> Tensor:
    """Multiply ``(M, N)`` by ``(N, C)``, dense where that is faster."""
    if matrix.dense is not None and matrix.is_faster_dense(columns.size(1)):
        return matrix.dense.to(columns.dtype) @ columns
    return kernels.product(columns, matrix.rows, matrix.columns)
