"""Dropout of whole nodes."""

from torch import Tensor
from torch.nn import Module
from torch.nn.functional import dropout

from vicinal.graphs.arguments import check_probability

__all__ = ["NodeDropout"]


class NodeDropout(Module):
    r"""Silence whole nodes, all features of a node at once, while training.

    .. math:: z_{if} = \frac{m_i}{1 - p}\, x_{if}, \quad m_i \sim
        \operatorname{Bernoulli}(1 - p)

    Args:
        p: Probability of silencing a node.

    Shape:
        - x: ``(..., N, F)``
        - output: ``(..., N, F)``

    Example:
        >>> import torch
        >>> z = NodeDropout(0.5)(torch.ones(100, 4))
        >>> sorted(set(z.flatten().tolist())), bool((z == z[:, :1]).all())
        ([0.0, 2.0], True)
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        check_probability("p", p)
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Map ``(..., N, F)`` to ``(..., N, F)``."""
        if not self.training or self.p == 0:
            return x
        return x * dropout(x.new_ones(*x.shape[:-1], 1), self.p)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        return f"p={self.p}"
