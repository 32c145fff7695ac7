"""Maxout: a trainable pointwise activation."""

import torch
from torch import Tensor
from torch.nn import Linear, Module

from vicinal.graphs.arguments import check_integer

__all__ = ["Maxout"]


class Maxout(Module):
    r"""Take the largest of a few linear maps of the features of each node.

    .. math:: z_{if} = \max_{p} \bigl( W_p\, x_i + b_p \bigr)_f

    Args:
        features: Number F of features, in and out.
        pieces: Number of linear maps.

    Shape:
        - x: ``(..., F)``
        - output: ``(..., F)``

    Example:
        >>> Maxout(features=4)(torch.randn(8, 5, 4)).shape
        torch.Size([8, 5, 4])
    """

    def __init__(self, features: int, pieces: int = 2) -> None:
        super().__init__()
        check_integer("features", features, smallest=1)
        check_integer("pieces", pieces, smallest=1)
        self.features, self.pieces = features, pieces
        self.linear = Linear(features, pieces * features)

    def forward(self, x: Tensor) -> Tensor:
        """Map ``(..., F)`` to ``(..., F)``."""
        pieces = self.linear(x).unflatten(-1, (self.pieces, self.features))
        return torch.amax(pieces, -2)
