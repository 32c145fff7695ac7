"""A fixed sparse matrix applied along the node dimension."""

from torch import Tensor

from vicinal import kernels
from vicinal.graphs import SparseMatrix

__all__ = ["multiply"]


def multiply(matrix: SparseMatrix, x: Tensor) -> Tensor:
    """Apply a fixed sparse matrix along the node dimension."""
    if matrix.dense is not None:
        return matrix.dense.to(x.dtype) @ x
    nodes_first = x.movedim(-2, 0)  # (N, ..., F)
    columns = nodes_first.reshape(x.size(-2), -1)
    result = kernels.product(columns, matrix.rows, matrix.columns)
    return result.view(-1, *nodes_first.shape[1:]).movedim(0, -2)
