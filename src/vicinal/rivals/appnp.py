"""APPNP: predict at every node, then spread predictions by personalised PageRank."""

import torch
from torch import Tensor
from torch.nn import Module, Parameter, functional

from vicinal.functional.product import multiply
from vicinal.graphs import Graph

__all__ = ["APPNP"]


class APPNP(Module):
    r"""The network of Gasteiger (Klicpera), Bojchevski and Günnemann (ICLR 2019).

    .. math::
        H = \mathrm{ReLU}(X W_0) W_1, \quad Z_0 = H, \quad
        Z_{k+1} = (1 - \alpha) P Z_k + \alpha H, \quad
        P = (D+I)^{-1/2} (A+I) (D+I)^{-1/2}

    Features are dropped before each weight matrix; edges are not. There are no biases,
    and weights start uniform on :math:`\pm 1/\sqrt G` for G inputs, as published.

    Args:
        in_features: Number of input features.
        hidden: Number of features between the two weight matrices.
        out_features: Number of outputs.
        steps: Number of propagations.
        teleport: Share alpha of its own prediction that a node keeps in each step.
        dropout: Probability of dropping a feature.
        shift: Name of P, see :meth:`vicinal.Graph.shift`.

    Shape:
        - x: ``(N, in_features)``, dense or sparse
        - output: ``(N, out_features)``

    Example:
        >>> import vicinal as vc
        >>> graph = vc.graphs.erdos_renyi(20, 0.4, seed=0)
        >>> APPNP(5, 64, 3)(torch.randn(20, 5), graph).shape
        torch.Size([20, 3])
    """

    def __init__(
        self,
        in_features: int,
        hidden: int,
        out_features: int,
        *,
        steps: int = 10,
        teleport: float = 0.1,
        dropout: float = 0.5,
        shift: str = "symmetric_with_self_loops",
    ) -> None:
        super().__init__()
        self.steps, self.teleport = steps, teleport
        self.dropout, self.shift = dropout, shift
        self.first = Parameter(torch.empty(in_features, hidden))
        self.second = Parameter(torch.empty(hidden, out_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights from U(-s, s), s = 1 / sqrt(inputs)."""
        for parameter in self.parameters():
            bound = parameter.size(0) ** -0.5
            torch.nn.init.uniform_(parameter, -bound, bound)

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map ``(N, in_features)`` to logits ``(N, out_features)``."""
        step = graph.shift(self.shift, scaled=False, dtype=self.first.dtype)
        h = torch.relu(self._drop(x) @ self.first)
        h = self._drop(h) @ self.second
        z = h
        for _ in range(self.steps):
            z = (1 - self.teleport) * multiply(step, z) + self.teleport * h
        return z

    def _drop(self, x: Tensor) -> Tensor:
        """Dropout; of a sparse matrix, among the entries that are there."""
        if not x.is_sparse:
            return functional.dropout(x, self.dropout, self.training)
        kept = functional.dropout(x.values(), self.dropout, self.training)
        return torch.sparse_coo_tensor(x.indices(), kept, x.shape, is_coalesced=True)
