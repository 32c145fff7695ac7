r"""sRMGCNN: a separable recurrent multi-graph network that completes a matrix.

Monti, Bronstein and Bresson, Geometric matrix completion with recurrent
multi-graph neural networks (NIPS 2017): :math:`X = W H^T` of rank r starts from a
truncated SVD and is diffused T times, on a network of users and one of movies. With
:math:`\tilde L = L - I` of the normalised Laplacian and Chebyshev polynomials
:math:`T_0 = I, T_1 = \tilde L, T_k = 2 \tilde L T_{k-1} - T_{k-2}`,

.. math::
    U &= \mathrm{ReLU}([T_0 W, \dots, T_4 W] \Theta + b) \\
    f, i, o &= \sigma(U A_{f,i,o} + h B_{f,i,o} + b_{f,i,o}), \qquad
    \tilde c = \sigma(U A_c + h B_c + b_c) \\
    c &\leftarrow f \circ c + i \circ \tilde c, \qquad h \leftarrow o \circ \sigma(c) \\
    W &\leftarrow W + \tanh(c A_W + b_W)

and the same of H; sigmoids stand where an LSTM usually has tanh, and the change comes
from c, as in the authors' code. The answer is X scaled to 1..5 by its own extremes. The
loss is the mean squared error of known ratings plus
:math:`\frac{\gamma}{2} (\mathrm{tr}\, X L_c X^T + \mathrm{tr}\, X^T L_r X)`.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import Linear, Module, Parameter, init

__all__ = [
    "SRMGCNN",
    "initial_factors",
    "normalized_laplacian",
    "rescaled",
    "roughness",
]


class SRMGCNN(Module):
    """Both factors diffused step by step; see the module for the equations.

    Args:
        rank: Columns r of each factor.
        hidden: Features of the convolution and of the recurrent cell.
        orders: Number of Chebyshev polynomials.
        steps: Number T of diffusions.

    Example:
        >>> model = SRMGCNN()
        >>> sum(parameter.numel() for parameter in model.parameters())
        20564
        >>> alike = torch.eye(3) - torch.ones(3, 3) / 3
        >>> w, h = model(torch.ones(3, 10), torch.ones(3, 10), alike, alike)
        >>> w.shape
        torch.Size([3, 10])
    """

    def __init__(
        self, rank: int = 10, hidden: int = 32, orders: int = 5, steps: int = 10
    ) -> None:
        super().__init__()
        self.steps = steps
        self.users = _Diffusion(rank, hidden, orders)
        self.movies = _Diffusion(rank, hidden, orders)

    def forward(
        self, w: Tensor, h: Tensor, rows: Tensor, columns: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Diffuse ``w`` (U, r) on Laplacian ``rows``, ``h`` (M, r) on ``columns``."""
        return self.users(w, rows, self.steps), self.movies(h, columns, self.steps)


class _Diffusion(Module):
    """One factor: convolution, recurrent cell, change."""

    def __init__(self, rank: int, hidden: int, orders: int) -> None:
        super().__init__()
        self.hidden, self.orders = hidden, orders
        self.convolution = Linear(rank * orders, hidden)
        self.inputs = Parameter(torch.empty(hidden, 4 * hidden))
        self.states = Parameter(torch.empty(hidden, 4 * hidden))
        self.bias = Parameter(torch.zeros(4 * hidden))
        self.change = Linear(hidden, rank)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot's uniform start of each matrix; biases start at zero."""
        for layer in (self.convolution, self.change):
            init.xavier_uniform_(layer.weight)
            init.zeros_(layer.bias)
        with torch.no_grad():
            for matrix in (self.inputs, self.states):
                for gate in matrix.split(self.hidden, dim=1):
                    init.xavier_uniform_(gate)

    def forward(self, factor: Tensor, laplacian: Tensor, steps: int) -> Tensor:
        state = factor.new_zeros(len(factor), self.hidden)
        memory = torch.zeros_like(state)
        for _ in range(steps):
            seen = torch.relu(self.convolution(self._polynomials(factor, laplacian)))
            gates = torch.sigmoid(seen @ self.inputs + state @ self.states + self.bias)
            forget, enter, leave, new = gates.split(self.hidden, dim=1)
            memory = forget * memory + enter * new
            state = leave * torch.sigmoid(memory)
            factor = factor + torch.tanh(self.change(memory))
        return factor

    def _polynomials(self, factor: Tensor, laplacian: Tensor) -> Tensor:
        terms = [factor, _product(laplacian, factor) - factor]
        while len(terms) < self.orders:
            last = _product(laplacian, terms[-1]) - terms[-1]
            terms.append(2 * last - terms[-2])
        return torch.cat(terms[: self.orders], dim=1)


class _SymmetricProduct(Function):
    """A symmetric matrix times another: its gradient needs no transposed matrix."""

    @staticmethod
    def forward(ctx: Any, matrix: Tensor, x: Tensor) -> Tensor:
        ctx.matrix = matrix
        return matrix @ x

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        return None, ctx.matrix @ grad


def _product(matrix: Tensor, x: Tensor) -> Tensor:
    product: Tensor = _SymmetricProduct.apply(matrix, x)  # type: ignore[no-untyped-call]
    return product


def normalized_laplacian(adjacency: Tensor) -> Tensor:  # shape: (N, N)
    r"""The Laplacian :math:`I - D^{-1/2} A D^{-1/2}`; a node alone has its one.

    Example:
        >>> normalized_laplacian(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    degree = adjacency.sum(1)
    half = torch.where(degree > 0, degree.clamp(min=1e-12).rsqrt(), 0.0)
    eye = torch.eye(len(adjacency), dtype=adjacency.dtype)
    return eye - half[:, None] * adjacency * half


def initial_factors(
    ratings: Tensor, rank: int = 10
) -> tuple[Tensor, Tensor]:  # shapes: (U, r), (M, r)
    r"""Factors :math:`U \sqrt s` and :math:`V \sqrt s` of the zero-filled matrix.

    Example:
        >>> w, h = initial_factors(torch.tensor([[2.0, 0.0], [0.0, 1.0]]), rank=1)
        >>> (w @ h.T).round().abs()
        tensor([[2., 0.],
                [0., 0.]])
    """
    u, s, v = torch.linalg.svd(ratings, full_matrices=False)
    root = s[:rank].sqrt()
    return u[:, :rank] * root, v[:rank].T * root


def rescaled(x: Tensor) -> Tensor:  # shape: (U, M)
    r"""The matrix between 1 and 5: :math:`1 + 4 (X - \min X) / (\max X - \min X)`.

    Example:
        >>> rescaled(torch.tensor([[0.0, 2.0, 8.0]]))
        tensor([[1., 2., 5.]])
    """
    low, high = torch.aminmax(x)
    return 1 + 4 * (x - low) / (high - low)


def roughness(w: Tensor, h: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    r"""How :math:`X = W H^T` varies: :math:`\mathrm{tr}(X L_c X^T + X^T L_r X)`.

    Example:
        >>> one, alike = torch.ones(2, 1), torch.tensor([[1.0, -1.0], [-1.0, 1.0]])
        >>> roughness(one, one, alike, alike)
        tensor(0.)
    """
    over_movies = (w.T @ w) * (h.T @ _product(columns, h))
    over_users = (h.T @ h) * (w.T @ _product(rows, w))
    return (over_movies + over_users).sum()
