"""Pointwise rivals: modules that look at one node at a time."""

import torch
from torch import Tensor
from torch.nn import Linear, Module

from vicinal.graphs import Graph
from vicinal.graphs.arguments import check_integer

__all__ = ["Maxout", "Pointwise"]


class Pointwise(Module):
    """A module that looks at one node at a time, called like a local activation.

    Args:
        module: Any module of one tensor, such as ``torch.nn.ReLU()``.

    Example:
        >>> import vicinal as vc
        >>> ring = vc.Graph.from_edges([(0, 1), (1, 0)])
        >>> act = Pointwise(torch.nn.ReLU())
        >>> act(torch.tensor([[-1.0], [2.0]]), ring).flatten()
        tensor([0., 2.])
    """

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def prepare(self, graph: Graph) -> Graph:
        """Nothing to compute ahead; return the graph."""
        return graph

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map ``(..., N, F)`` to what the module makes of it; the graph is unused."""
        answer: Tensor = self.module(x)
        return answer


class Maxout(Module):
    r"""Take the largest of a few linear maps of the features of each node.

    .. math:: z_{if} = \max_{p} \bigl( W_p\, x_i + b_p \bigr)_f

    A trainable pointwise activation with far more parameters than a local one.

    Args:
        features: Number F of features, in and out.
        pieces: Number of linear maps.

    Shape:
        - x: ``(..., F)``
        - output: ``(..., F)``

    Example:
        >>> act = Maxout(features=1)
        >>> act.linear.weight.data = torch.tensor([[1.0], [-1.0]])
        >>> _ = torch.nn.init.zeros_(act.linear.bias)
        >>> act(torch.tensor([[-3.0], [2.0]])).flatten().tolist()
        [3.0, 2.0]
    """

    def __init__(self, features: int, pieces: int = 2) -> None:
        super().__init__()
        check_integer("features", features, smallest=1)
        check_integer("pieces", pieces, smallest=1)
        self.features, self.pieces = features, pieces
        self.linear = Linear(features, pieces * features)

    def reset_parameters(self) -> None:
        """Draw the linear maps anew."""
        self.linear.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        """Map ``(..., F)`` to ``(..., F)``."""
        if x.size(-1) != self.features:
            raise ValueError(
                f"`x` must have {self.features} features, got {x.size(-1)}"
            )
        pieces = self.linear(x).unflatten(-1, (self.pieces, self.features))
        return torch.amax(pieces, -2)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        return f"features={self.features}, pieces={self.pieces}"
