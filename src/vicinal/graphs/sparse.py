"""A fixed sparse matrix with its transpose, ready for products and their gradients."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
import torch
from torch import Tensor

from vicinal.graphs.pytree import map_tensors, register_record

__all__ = ["SparseMatrix"]

Csr = tuple[Tensor, Tensor, Tensor]  # indptr, indices, weight


@dataclass(frozen=True, eq=False)
class SparseMatrix:
    """An ``(M, N)`` matrix in CSR form beside the CSR form of its transpose.

    ``dense`` holds the same matrix as a plain tensor where a dense product may be
    faster: few nodes and many edges, or so few nodes that any product is short.

    Example:
        >>> import scipy.sparse
        >>> matrix = SparseMatrix.from_scipy(scipy.sparse.eye_array(2).tocsr() * 3.0)
        >>> matrix.to_dense()
        tensor([[3., 0.],
                [0., 3.]])
    """

    rows: Csr
    columns: Csr  # the rows of the transpose
    shape: tuple[int, int]
    dense: Tensor | None = None

    @staticmethod
    def from_scipy(matrix: Any, dtype: torch.dtype = torch.float32) -> "SparseMatrix":
        """Take any SciPy sparse matrix."""
        csr = scipy.sparse.csr_array(matrix)
        csr.sort_indices()
        rows = _tensors(csr, dtype)
        full = csr.nnz > _DENSE_SHARE * csr.shape[0] * csr.shape[1]
        few = max(csr.shape) <= (_DENSE_NODES if full else _FEW_NODES)
        dense = torch.from_numpy(csr.toarray()).to(dtype) if few else None
        return SparseMatrix(rows, _tensors(csr.T.tocsr(), dtype), csr.shape, dense)

    def is_faster_dense(self, columns: int) -> bool:
        """Whether a plain product of so many columns beats a sparse one."""
        if self.dense is None:
            return False
        share = self.rows[1].numel() / max(self.shape[0] * self.shape[1], 1)
        return share > _DENSE_SHARE or columns <= _FEW_COLUMNS

    def to_dense(self) -> Tensor:
        """The same matrix as a plain tensor."""
        if self.dense is not None:
            return self.dense.clone()
        indptr, indices, weight = self.rows
        row = torch.repeat_interleave(indptr.diff())
        dense = weight.new_zeros(self.shape)
        return dense.index_put((row, indices.long()), weight)

    def to(self, device: torch.device | str) -> "SparseMatrix":
        """The same matrix on another device."""
        return map_tensors(lambda tensor: tensor.to(device), self)


_DENSE_NODES = 1024  # measured: docs/performance.md, the filter bank
_DENSE_SHARE = 0.2
_FEW_NODES, _FEW_COLUMNS = 256, 256  # where one call costs more than its zeros


def _tensors(csr: Any, dtype: torch.dtype) -> Csr:
    return (
        torch.from_numpy(csr.indptr.astype(np.int64)),
        torch.from_numpy(csr.indices.astype(np.int32)),
        torch.from_numpy(csr.data.astype(np.float64)).to(dtype),
    )


register_record(SparseMatrix, ["rows", "columns", "dense"], ["shape"])
