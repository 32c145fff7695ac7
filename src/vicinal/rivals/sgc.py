"""SGC: a GCN without anything between its propagations."""

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from vicinal.functional.product import multiply
from vicinal.graphs import Graph

__all__ = ["SGC"]


class SGC(Module):
    r"""The simple graph convolution of Wu et al. (ICML 2019).

    .. math:: Y = P^K X W + b, \quad P = (D+I)^{-1/2} (A+I) (D+I)^{-1/2}

    It is logistic regression on features that were averaged K times. Weights and biases
    start uniform on :math:`\pm 1/\sqrt G` for G inputs, as a linear layer does.

    Args:
        in_features: Number of input features.
        out_features: Number of outputs.
        steps: Number K of propagations.
        shift: Name of P, see :meth:`vicinal.Graph.shift`.

    Shape:
        - x: ``(N, in_features)``, dense or sparse
        - output: ``(N, out_features)``

    Example:
        >>> import vicinal as vc
        >>> graph = vc.graphs.erdos_renyi(20, 0.4, seed=0)
        >>> SGC(5, 3)(torch.randn(20, 5), graph).shape
        torch.Size([20, 3])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        steps: int = 2,
        shift: str = "symmetric_with_self_loops",
    ) -> None:
        super().__init__()
        self.steps, self.shift = steps, shift
        self.weight = Parameter(torch.empty(in_features, out_features))
        self.bias = Parameter(torch.empty(out_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights and biases from U(-s, s), s = 1 / sqrt(inputs)."""
        bound = self.weight.size(0) ** -0.5
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -bound, bound)

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map ``(N, in_features)`` to logits; propagate outputs, which are fewer."""
        step = graph.shift(self.shift, scaled=False, dtype=self.weight.dtype)
        y = x @ self.weight
        for _ in range(self.steps):
            y = multiply(step, y)
        return y + self.bias
