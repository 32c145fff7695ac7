"""One workload at one number of hops, and the sparse products that rivals share."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor
from torch.autograd import Function
from torch.nn import Parameter

from benchmarks.workloads import Workload

Forward = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Setting:
    """A workload at one number of hops: all that follows from the graph alone."""

    workload: Workload
    hops: int
    weight: Parameter = field(init=False)  # shape: (hops + 1,)

    def __post_init__(self):
        shares = torch.linspace(1, 0.5, self.hops + 1)
        object.__setattr__(self, "weight", Parameter(shares / shares.sum()))

    @property
    def balls(self):
        """Stacked neighbourhoods; the graph keeps them."""
        return self.workload.graph.neighborhoods(self.hops)

    @property
    def columns(self):
        """Number of signals, batch and features together."""
        return self.workload.batch * self.workload.features

    @property
    def gathered(self):
        """Number of values that all neighbourhoods hold."""
        return self.balls.indices.numel() * self.columns

    def combine(self, x, terms):
        """Weigh ``x`` and one term per hop."""
        z = self.weight[0] * x
        for k, term in enumerate(terms, start=1):
            z = z + self.weight[k] * term
        return z


class Product(Function):
    """A fixed sparse matrix times ``x``, its transpose made ahead for backward."""

    @staticmethod
    def forward(ctx, x, matrix, transpose):
        """Multiply."""
        ctx.transpose = transpose
        return matrix @ x

    @staticmethod
    def backward(ctx, grad):
        """Multiply by the transpose."""
        return ctx.transpose @ grad, None, None


def csr_pair(scipy_matrix):
    """A SciPy matrix and its transpose for torch."""
    return _csr(scipy_matrix.tocsr()), _csr(scipy_matrix.T.tocsr())


def _csr(matrix):
    indptr, indices = (
        torch.from_numpy(ids.astype("int32"))  # what MKL takes as it is
        for ids in (matrix.indptr, matrix.indices)
    )
    values = torch.from_numpy(matrix.data.astype("float32"))
    with warnings.catch_warnings():  # torch says "beta state" once a process
        warnings.simplefilter("ignore", UserWarning)
        return torch.sparse_csr_tensor(indptr, indices, values, matrix.shape)


def ball_matrix(balls):
    """Stacked neighbourhoods as one SciPy matrix of ones."""
    shape = (balls.indptr.numel() - 1, balls.num_nodes)
    ones = np.ones(balls.indices.numel(), "float32")
    return csr_array((ones, balls.indices.numpy(), balls.indptr.numpy()), shape=shape)


def by_nodes(function, setting) -> Forward:
    """Wrap a function ``(N, C) -> (hops * N, C)`` and combine its hops."""

    def forward(x):
        columns = x.transpose(0, 1).flatten(1)  # a view if nodes come first in memory
        rows = function(columns).unflatten(0, (setting.hops, -1))
        z = setting.combine(columns, rows)
        return z.unflatten(1, (x.size(0), x.size(2))).transpose(0, 1)

    return forward
