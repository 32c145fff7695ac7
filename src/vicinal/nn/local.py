"""LocalActivation: what the trainable local activations have in common."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from vicinal import functional as F
from vicinal.functional.policies import Empty, check_empty
from vicinal.functional.signals import check_graph, check_signal
from vicinal.graphs import Graph, Neighborhoods
from vicinal.graphs.arguments import check_choice, check_integer
from vicinal.graphs.neighborhoods import check_hops

__all__ = ["Initial", "LocalActivation", "Reach"]

Initial = Literal["mean", "uniform"]
Reach = Literal["within", "exact", "component"]


class LocalActivation(Module):
    r"""What the local activations have in common: hop weights and their combination.

    .. math:: z = \phi \Bigl( w_0\, x + \sum_{k=1}^{K} w_k\, \sigma(S^k, x) \Bigr)

    ``hops=0`` is exactly ReLU and has no parameters, as in the paper.

    Args:
        hops: Largest hop count K.
        features: Number of features, for one weight vector each; ``None`` shares one.
        initial: ``"mean"`` starts at 1 / (K + 1); ``"uniform"`` draws from
            U(-1/sqrt(K), 1/sqrt(K)) as the authors do, where signs may cancel.
        reach: Which nodes hop count k takes in: those ``"within"`` k hops (support of
            (I + N)^k), those at ``"exact"``-ly k hops (support of N^k and of A^k), or
            the whole ``"component"`` from two hops on, the bug of the authors' 0.1.
        empty: What an empty neighbourhood gives (only exact ones may be empty): an
            error, the node's own value (``"self"``) or a number.
        pointwise: A scalar function applied to the combination.
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
        super().__init__()
        check_hops(hops)
        check_choice("initial", initial, ("mean", "uniform"))
        check_choice("reach", reach, ("within", "exact", "component"))
        check_empty(empty)
        if features is not None:
            check_integer("features", features, smallest=1)
        if pointwise is not None and not callable(pointwise):
            raise TypeError(
                f"`pointwise` must be a function of one tensor, got {pointwise!r}; "
                "pass for example `torch.relu`"
            )
        self.hops, self.features, self.initial = hops, features, initial
        self.reach, self.empty, self.pointwise = reach, empty, pointwise
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

    def prepare(self, graph: Graph) -> Graph:
        """Compute ahead what the activation needs of a graph; return the graph."""
        check_graph(graph)
        if self.weight is not None:
            with torch.no_grad():
                zeros = self.weight.new_zeros(graph.num_nodes, self.features or 1)
                self.combined(zeros, self._around(graph), self.weight)
        return graph

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
        return self._shaped(self.combined(x, self._around(graph), self.weight))

    def _around(self, graph: Graph | Neighborhoods) -> Graph | Neighborhoods:
        if isinstance(graph, Neighborhoods) or self.reach == "within":
            return graph
        if self.reach == "exact":
            return graph.neighborhoods(self.hops, exact=True)
        return graph.whole_component(self.hops)

    def _shaped(self, z: Tensor) -> Tensor:
        return z if self.pointwise is None else self.pointwise(z)

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        reach = "" if self.reach == "within" else f", reach={self.reach!r}"
        return f"hops={self.hops}, features={self.features}{reach}"
