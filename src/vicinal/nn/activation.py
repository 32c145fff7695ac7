"""Trainable local activations: a weighted sum over 0, ..., K hops."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from vicinal import functional as F
from vicinal.functional.signals import check_signal
from vicinal.graphs import Graph, Neighborhoods
from vicinal.graphs.arguments import check_choice, check_integer
from vicinal.graphs.neighborhoods import check_hops
from vicinal.kernels import rank

__all__ = [
    "LocalActivation",
    "MaxActivation",
    "MeanActivation",
    "MedianActivation",
    "RankActivation",
]

Initial = Literal["mean", "uniform"]


class LocalActivation(Module):
    r"""What the local activations have in common: hop weights and their combination.

    .. math:: z = \phi \Bigl( w_0\, x + \sum_{k=1}^{K} w_k\, \sigma(S^k, x) \Bigr)

    ``hops=0`` is exactly ReLU and has no parameters, as in the paper.

    Args:
        hops: Largest hop count K.
        features: Number of features, for one weight vector each; ``None`` shares one.
        initial: ``"mean"`` starts at 1 / (K + 1); ``"uniform"`` draws from
            U(-1/sqrt(K), 1/sqrt(K)) as the authors do, where signs may cancel.
        exact: Neighbourhoods of exactly k hops instead of at most k.
        pointwise: A scalar function applied to the combination.
    """

    def __init__(
        self,
        hops: int = 1,
        features: int | None = None,
        *,
        initial: Initial = "mean",
        exact: bool = False,
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__()
        check_hops(hops)
        check_choice("initial", initial, ("mean", "uniform"))
        if features is not None:
            check_integer("features", features, smallest=1)
        self.hops, self.features = hops, features
        self.initial, self.exact, self.pointwise = initial, exact, pointwise
        shape = (hops + 1,) if features is None else (hops + 1, features)
        self.weight = Parameter(torch.empty(shape)) if hops else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the hop weights anew."""
        if self.weight is None:
            return
        if self.initial == "mean":
            torch.nn.init.constant_(self.weight, 1 / (self.hops + 1))
        else:
            bound = self.hops**-0.5
            torch.nn.init.uniform_(self.weight, -bound, bound)

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """The local terms, ``(..., N, F)`` to ``(..., hops, N, F)``."""
        raise TypeError(f"{type(self).__name__} must define `local`")

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The weighted sum of the own value and the local terms."""
        return F.multiresolution(x, self.local(x, graph), weight)

    def forward(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Map ``(..., N, F)`` to ``(..., N, F)``."""
        check_signal(x, graph)
        if self.weight is None:
            return self._shaped(x.relu())
        if self.features is not None and x.size(-1) != self.features:
            raise ValueError(
                f"`x` must have {self.features} features, got {x.size(-1)}; "
                "pass features=None to share one weight vector"
            )
        if self.exact and isinstance(graph, Graph):
            graph = graph.neighborhoods(self.hops, exact=True)
        return self._shaped(self.combined(x, graph, self.weight))

    def _shaped(self, z: Tensor) -> Tensor:
        return z if self.pointwise is None else self.pointwise(z)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        exact = ", exact=True" if self.exact else ""
        return f"hops={self.hops}, features={self.features}{exact}"


class MedianActivation(LocalActivation):
    r"""Weigh each node's value and the medians over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{med}(S^k, x)

    The upper median, see :func:`vicinal.functional.local_median`. Arguments as in
    :class:`LocalActivation`.

    Example:
        >>> import vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MedianActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [3.0, 1.5, 2.0]
    """

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Medians over 1, ..., ``hops`` hops."""
        return F.local_median(x, graph, self.hops)

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        return F.local_activation(x, graph, weight, rank.UPPER_MEDIAN)


class MaxActivation(LocalActivation):
    r"""Weigh each node's value and the maxima over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \max(S^k, x)

    Arguments as in :class:`LocalActivation`.

    Example:
        >>> import vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MaxActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [3.0, 2.0, 2.0]
    """

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Maxima over 1, ..., ``hops`` hops."""
        return F.local_max(x, graph, self.hops)

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        return F.local_activation(x, graph, weight, rank.MAX)


class RankActivation(LocalActivation):
    r"""Weigh each node's value and one order statistic of its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{op}_q(S^k, x)

    Args:
        q: Rank between 0 (minimum) and 1 (maximum).
        hops: As in :class:`LocalActivation`.
        features: As in :class:`LocalActivation`.
        initial: As in :class:`LocalActivation`.
        exact: As in :class:`LocalActivation`.
        pointwise: As in :class:`LocalActivation`.

    Example:
        >>> import vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = RankActivation(q=0.0, hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [2.0, 1.0, 1.5]
    """

    def __init__(
        self,
        q: float,
        hops: int = 1,
        features: int | None = None,
        *,
        initial: Initial = "mean",
        exact: bool = False,
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            hops, features, initial=initial, exact=exact, pointwise=pointwise
        )
        rank.quantile(q)  # refuses what is no rank
        self.q = q

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Values of rank ``q`` over 1, ..., ``hops`` hops."""
        return F.local_rank(x, graph, self.q, self.hops)

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        return F.local_activation(x, graph, weight, rank.quantile(self.q))

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        return f"q={self.q}, {super().extra_repr()}"


class MeanActivation(LocalActivation):
    r"""Weigh each node's value and the means over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{mean}(S^k, x)

    The linear twin of the local activations: what it reaches as well is not owed to
    the nonlinearity. Arguments as in :class:`LocalActivation`.

    Example:
        >>> import vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MeanActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [2.5, 1.5, 1.75]
    """

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Means over 1, ..., ``hops`` hops."""
        return F.local_mean(x, graph, self.hops)
