"""MLP: a network of one hidden layer that does not know the graph."""

from torch import Tensor
from torch.nn import Dropout, Linear, Module

from vicinal.graphs import Graph

__all__ = ["MLP"]


class MLP(Module):
    r"""One hidden layer of ReLU over the values of all nodes.

    .. math:: y = W_2 \max(0, W_1 x + b_1) + b_2

    Called like a graph neural network, with a graph that it does not look at.

    Args:
        inputs: Number of values of a signal, N times G.
        width: Number of hidden values.
        outputs: Number of values of an answer.
        dropout: Probability of dropping a hidden value.
        per_node: Shape the answer as ``(B, N, outputs / N)``.

    Shape:
        - x: ``(B, N, G)``
        - output: ``(B, outputs)``, or ``(B, N, outputs / N)``

    Example:
        >>> import torch
        >>> pair = Graph.from_edges([(0, 1), (1, 0)])
        >>> MLP(2, 8, 3)(torch.randn(5, 2, 1), pair).shape
        torch.Size([5, 3])
    """

    def __init__(
        self,
        inputs: int,
        width: int,
        outputs: int,
        dropout: float = 0.0,
        *,
        per_node: bool = False,
    ) -> None:
        super().__init__()
        self.hidden = Linear(inputs, width)
        self.dropout = Dropout(dropout)
        self.readout = Linear(width, outputs)
        self.per_node = per_node

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map signals to answers."""
        hidden = self.dropout(self.hidden(x.flatten(1)).relu())
        answer: Tensor = self.readout(hidden)
        return answer.unflatten(-1, (x.size(1), -1)) if self.per_node else answer
