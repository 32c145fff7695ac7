"""Readouts: from node features to one answer per signal, or one per node."""

from torch import Tensor, nn
from torch.nn import Module

from vicinal.nn.filter import check_positive

__all__ = ["NodeReadout", "SignalReadout"]


class SignalReadout(Module):
    """Flatten all nodes and apply one linear layer: one answer per signal.

    Not permutation equivariant: its columns belong to nodes.

    Args:
        num_nodes: Number N of nodes.
        in_features: Number F of features per node.
        out_features: Number C of outputs.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., C)``

    Example:
        >>> import torch
        >>> SignalReadout(5, 2, 3)(torch.randn(8, 5, 2)).shape
        torch.Size([8, 3])
    """

    def __init__(self, num_nodes: int, in_features: int, out_features: int) -> None:
        super().__init__()
        check_positive(
            num_nodes=num_nodes, in_features=in_features, out_features=out_features
        )
        self.num_nodes, self.in_features = num_nodes, in_features
        self.linear = nn.Linear(num_nodes * in_features, out_features)

    def forward(self, x: Tensor) -> Tensor:
        """Map ``(..., N, F)`` to ``(..., C)``."""
        if x.shape[-2:] != (self.num_nodes, self.in_features):
            raise ValueError(
                f"`x` must have shape (..., {self.num_nodes}, {self.in_features}), "
                f"got {tuple(x.shape)}"
            )
        answer: Tensor = self.linear(x.flatten(-2))
        return answer


class NodeReadout(Module):
    """Apply one linear layer to every node alike: one answer per node.

    Args:
        in_features: Number F of features per node.
        out_features: Number C of outputs per node.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., N, C)``

    Example:
        >>> import torch
        >>> NodeReadout(2, 3)(torch.randn(8, 5, 2)).shape
        torch.Size([8, 5, 3])
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        check_positive(in_features=in_features, out_features=out_features)
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x: Tensor) -> Tensor:
        """Map ``(..., N, F)`` to ``(..., N, C)``."""
        if x.dim() < 2 or x.size(-1) != self.linear.in_features:
            raise ValueError(
                f"`x` must have shape (..., nodes, {self.linear.in_features}), "
                f"got {tuple(x.shape)}"
            )
        answer: Tensor = self.linear(x)
        return answer
