r"""The activations and the filter with PyG's call ``(x, edge_index)``.

Each class holds the module of the same name of :mod:`vicinal.nn` as ``module`` (so the
keys of its state dict are ``module.weight`` and ``module.bias``) and turns edge lists
into graphs. The graphs of the latest 16 edge lists are kept, with their neighbourhoods,
for all modules together. They are found again by content, compared with a copy: an
``edge_index`` changed in place is another one. PyG itself is not needed.

``x`` holds the nodes in its last dimension but one, as everywhere in PyG; a mini-batch
of several graphs is one graph of several components.

Example:
    >>> import torch
    >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    >>> act = MedianActivation(hops=1)
    >>> act(torch.tensor([[3.0], [1.0], [2.0]]), edge_index).flatten().tolist()
    [3.0, 1.5, 2.0]
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import Module

from vicinal import nn
from vicinal.functional.policies import Convention, Empty
from vicinal.graphs import Graph
from vicinal.graphs.recent import recent
from vicinal.nn.local import Initial, Reach

__all__ = [
    "GraphFilter",
    "MaxActivation",
    "MeanActivation",
    "MedianActivation",
    "RankActivation",
]


class _OnEdges(Module):
    """A module of ``(x, graph)``, called with ``(x, edge_index)``."""

    def __init__(self, module: nn.LocalActivation | nn.GraphFilter) -> None:
        super().__init__()
        self.module = module

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        self.module.reset_parameters()

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        """Map ``(..., N, F)`` to ``(..., N, F)``."""
        return _call(self.module, x, edge_index)

    def __repr__(self) -> str:
        return repr(self.module)


class MedianActivation(_OnEdges):
    r"""Weigh each node's value and the medians over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{med}(S^k, x)

    Arguments as in :class:`vicinal.nn.MedianActivation`. Neighbourhoods are sets: an
    edge that is listed twice counts once. Edge weights play no part.

    Shape:
        - x: ``(..., N, F)``
        - edge_index: ``(2, E)``, source row and target row
        - output: ``(..., N, F)``

    Example:
        >>> import torch
        >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> act = MedianActivation(hops=2, features=8, pointwise=torch.relu)
        >>> act(torch.randn(3, 8), edge_index).shape
        torch.Size([3, 8])
    """

    def __init__(
        self,
        hops: int = 1,
        features: int | None = None,
        *,
        convention: Convention = "upper",
        initial: Initial = "mean",
        reach: Reach = "within",
        empty: Empty = "raise",
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            nn.MedianActivation(
                hops,
                features,
                convention=convention,
                initial=initial,
                reach=reach,
                empty=empty,
                pointwise=pointwise,
            )
        )


class MaxActivation(_OnEdges):
    r"""Weigh each node's value and the maxima over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \max(S^k, x)

    Arguments and shapes as in :class:`MedianActivation`.

    Example:
        >>> import torch
        >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> act = MaxActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), edge_index).flatten().tolist()
        [3.0, 2.0, 2.0]
    """

    def __init__(
        self,
        hops: int = 1,
        features: int | None = None,
        *,
        initial: Initial = "mean",
        reach: Reach = "within",
        empty: Empty = "raise",
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            nn.MaxActivation(
                hops,
                features,
                initial=initial,
                reach=reach,
                empty=empty,
                pointwise=pointwise,
            )
        )


class RankActivation(_OnEdges):
    r"""Weigh each node's value and one order statistic of its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{op}_q(S^k, x)

    ``q`` is a rank between 0 (minimum) and 1 (maximum). Other arguments and shapes as
    in :class:`MedianActivation`.

    Example:
        >>> import torch
        >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> act = RankActivation(q=0.0, hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), edge_index).flatten().tolist()
        [2.0, 1.0, 1.5]
    """

    def __init__(
        self,
        q: float,
        hops: int = 1,
        features: int | None = None,
        *,
        initial: Initial = "mean",
        reach: Reach = "within",
        empty: Empty = "raise",
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            nn.RankActivation(
                q,
                hops,
                features,
                initial=initial,
                reach=reach,
                empty=empty,
                pointwise=pointwise,
            )
        )


class MeanActivation(_OnEdges):
    r"""Weigh each node's value and the means over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{mean}(S^k, x)

    The linear twin of the others. Arguments and shapes as in :class:`MedianActivation`.

    Example:
        >>> import torch
        >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> act = MeanActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), edge_index).flatten().tolist()
        [2.5, 1.5, 1.75]
    """

    def __init__(
        self,
        hops: int = 1,
        features: int | None = None,
        *,
        initial: Initial = "mean",
        reach: Reach = "within",
        empty: Empty = "raise",
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            nn.MeanActivation(
                hops,
                features,
                initial=initial,
                reach=reach,
                empty=empty,
                pointwise=pointwise,
            )
        )


class GraphFilter(_OnEdges):
    r"""A bank of linear shift-invariant graph filters.

    .. math:: u^f = b^f + \sum_g \sum_{k=0}^{K-1} h_k^{fg} S^k x^g

    Arguments as in :class:`vicinal.nn.GraphFilter`, where the default shift is another:
    here it is the propagation of a GCN, which treats every graph of a mini-batch as if
    it were alone. ``scaled=True`` does not: it divides all by the largest of their
    spectral radii. Weights of an edge that is listed twice are added.

    Shape:
        - x: ``(..., N, G)``
        - edge_index: ``(2, E)``, source row and target row
        - edge_weight: ``(E,)``, one each if not given
        - output: ``(..., N, F)``

    Example:
        >>> import torch
        >>> edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> bank = GraphFilter(1, 32, taps=5)
        >>> bank(torch.randn(3, 1), edge_index, torch.rand(4)).shape
        torch.Size([3, 32])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        taps: int,
        *,
        bias: bool = True,
        shift: str = "symmetric_with_self_loops",
        scaled: bool = False,
    ) -> None:
        super().__init__(
            nn.GraphFilter(
                in_features, out_features, taps, bias=bias, shift=shift, scaled=scaled
            )
        )

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """Map ``(..., N, in_features)`` to ``(..., N, out_features)``."""
        return _call(self.module, x, edge_index, edge_weight)


def _eager(
    module: Module, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None
) -> Tensor:
    answer: Tensor = module(x, _graph(x, edge_index, edge_weight))
    return answer


_call: Callable[..., Tensor] = torch.compiler.disable(
    _eager,
    reason="the graph follows from the numbers in `edge_index`; to compile it as well, "
    "call a module of `vicinal.nn` with a prepared `vicinal.Graph`",
)


def _graph(x: Tensor, edge_index: Tensor, edge_weight: Tensor | None) -> Graph:
    """The graph that carries ``x``."""
    if not isinstance(x, Tensor):
        raise TypeError(f"`x` must be a tensor, got {type(x).__name__}")
    if x.dim() < 2:
        raise ValueError(
            f"`x` must have shape (..., nodes, features), got {tuple(x.shape)}"
        )
    for name, given in (("edge_index", edge_index), ("edge_weight", edge_weight)):
        if isinstance(given, Tensor) and given.device != x.device:
            raise ValueError(
                f"`{name}` must be on the device of `x` ({x.device}), got "
                f"{given.device}; move it with `{name}.to(x.device)`"
            )
    return recent(edge_index, x.size(-2), edge_weight)
