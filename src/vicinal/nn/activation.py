"""Trainable local activations: a weighted sum over 0, ..., K hops."""

from collections.abc import Callable

from torch import Tensor

from vicinal import functional as F
from vicinal.functional.policies import Convention, Empty
from vicinal.graphs import Graph, Neighborhoods
from vicinal.graphs.arguments import check_choice
from vicinal.kernels import rank
from vicinal.nn.local import Initial, LocalActivation, Reach

__all__ = [
    "MaxActivation",
    "MeanActivation",
    "MedianActivation",
    "RankActivation",
]


class MedianActivation(LocalActivation):
    r"""Weigh each node's value and the medians over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{med}(S^k, x)

    The upper median unless ``convention="lower"``, see
    :func:`vicinal.functional.local_median`. Other arguments as in
    :class:`LocalActivation`.

    Example:
        >>> import torch, vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MedianActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [3.0, 1.5, 2.0]
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
            hops,
            features,
            initial=initial,
            reach=reach,
            empty=empty,
            pointwise=pointwise,
        )
        check_choice("convention", convention, ("upper", "lower"))
        self.convention = convention

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Medians over 1, ..., ``hops`` hops."""
        return F.local_median(
            x, graph, self.hops, convention=self.convention, empty=self.empty
        )

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        upper = self.convention == "upper"
        rule = rank.UPPER_MEDIAN if upper else rank.LOWER_MEDIAN
        return F.local_activation(x, graph, weight, rule, empty=self.empty)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        lower = "" if self.convention == "upper" else ", convention='lower'"
        return f"{super().extra_repr()}{lower}"


class MaxActivation(LocalActivation):
    r"""Weigh each node's value and the maxima over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \max(S^k, x)

    Arguments as in :class:`LocalActivation`.

    Example:
        >>> import torch, vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MaxActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [3.0, 2.0, 2.0]
    """

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Maxima over 1, ..., ``hops`` hops."""
        return F.local_max(x, graph, self.hops, empty=self.empty)

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        return F.local_activation(x, graph, weight, rank.MAX, empty=self.empty)


class RankActivation(LocalActivation):
    r"""Weigh each node's value and one order statistic of its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{op}_q(S^k, x)

    Args:
        q: Rank between 0 (minimum) and 1 (maximum).
        hops: As in :class:`LocalActivation`.
        features: As in :class:`LocalActivation`.
        initial: As in :class:`LocalActivation`.
        reach: As in :class:`LocalActivation`.
        empty: As in :class:`LocalActivation`.
        pointwise: As in :class:`LocalActivation`.

    Example:
        >>> import torch, vicinal as vc
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
        reach: Reach = "within",
        empty: Empty = "raise",
        pointwise: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(
            hops,
            features,
            initial=initial,
            reach=reach,
            empty=empty,
            pointwise=pointwise,
        )
        rank.quantile(q)  # refuses what is no rank
        self.q = q

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Values of rank ``q`` over 1, ..., ``hops`` hops."""
        return F.local_rank(x, graph, self.q, self.hops, empty=self.empty)

    def combined(
        self, x: Tensor, graph: Graph | Neighborhoods, weight: Tensor
    ) -> Tensor:
        """The same as one call of a kernel."""
        rule = rank.quantile(self.q)
        return F.local_activation(x, graph, weight, rule, empty=self.empty)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        return f"q={self.q}, {super().extra_repr()}"


class MeanActivation(LocalActivation):
    r"""Weigh each node's value and the means over its neighbourhoods.

    .. math:: z = w_0\, x + \sum_{k=1}^{K} w_k \operatorname{mean}(S^k, x)

    The linear twin of the local activations: what it reaches as well is not owed to
    the nonlinearity. Arguments as in :class:`LocalActivation`.

    Example:
        >>> import torch, vicinal as vc
        >>> path = vc.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
        >>> act = MeanActivation(hops=1)
        >>> act(torch.tensor([[3.0], [1.0], [2.0]]), path).flatten().tolist()
        [2.5, 1.5, 1.75]
    """

    def local(self, x: Tensor, graph: Graph | Neighborhoods) -> Tensor:
        """Means over 1, ..., ``hops`` hops."""
        return F.local_mean(x, graph, self.hops, empty=self.empty)
