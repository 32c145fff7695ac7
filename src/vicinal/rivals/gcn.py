"""GCN: Kipf and Welling's two-layer graph convolutional network."""

import torch
from torch import Tensor
from torch.nn import Module, Parameter, functional

from vicinal.functional.product import multiply
from vicinal.graphs import Graph

__all__ = ["GCN"]


class GCN(Module):
    r"""The graph convolutional network of Kipf and Welling (ICLR 2017), two layers.

    .. math:: Y = P \, \mathrm{dropout}(\mathrm{ReLU}(P X W_0 + b_0)) \, W_1 + b_1

    P is :math:`(D+I)^{-1}(A+I)` in their PyTorch code (pygcn),
    :math:`(D+I)^{-1/2}(A+I)(D+I)^{-1/2}` in the article. Weights and biases of a layer
    with F outputs start uniform on :math:`\pm 1/\sqrt F`, as in pygcn.

    Args:
        in_features: Number of input features.
        hidden: Number of features of the first layer.
        out_features: Number of outputs.
        dropout: Probability of dropping a feature between the layers.
        shift: Name of P, see :meth:`vicinal.Graph.shift`.

    Shape:
        - x: ``(N, in_features)``, dense or sparse
        - output: ``(N, out_features)``

    Example:
        >>> import vicinal as vc
        >>> graph = vc.graphs.erdos_renyi(20, 0.4, seed=0)
        >>> GCN(5, 16, 3)(torch.randn(20, 5), graph).shape
        torch.Size([20, 3])
    """

    def __init__(
        self,
        in_features: int,
        hidden: int,
        out_features: int,
        *,
        dropout: float = 0.5,
        shift: str = "random_walk_with_self_loops",
    ) -> None:
        super().__init__()
        self.dropout, self.shift = dropout, shift
        self.first = Parameter(torch.empty(in_features, hidden))
        self.first_bias = Parameter(torch.empty(hidden))
        self.second = Parameter(torch.empty(hidden, out_features))
        self.second_bias = Parameter(torch.empty(out_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights and biases from U(-s, s), s = 1 / sqrt(outputs)."""
        for parameter in self.parameters():
            bound = parameter.size(-1) ** -0.5
            torch.nn.init.uniform_(parameter, -bound, bound)

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map ``(N, in_features)`` to logits ``(N, out_features)``."""
        step = graph.shift(self.shift, scaled=False, dtype=self.first.dtype)
        h = torch.relu(multiply(step, x @ self.first) + self.first_bias)
        h = functional.dropout(h, self.dropout, self.training)
        return multiply(step, h @ self.second) + self.second_bias
