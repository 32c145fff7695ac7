"""GraphFilter: a bank of polynomial filters with trainable coefficients."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from vicinal import functional as F
from vicinal.functional.signals import HALF, check_device, check_graph
from vicinal.graphs import Graph, SparseMatrix
from vicinal.graphs.arguments import (
    check_choice,
    check_flag,
    check_integer,
    check_tensor,
)
from vicinal.graphs.pytree import register_record
from vicinal.graphs.shifts import SHIFTS

__all__ = ["GraphFilter", "Shifted"]


@dataclass(frozen=True)
class Shifted:
    """Inputs that never change with their shifts: x, Sx, ..., S^(taps-1) x.

    Made by :meth:`GraphFilter.shifted`; hand it to the filter in place of x.
    """

    powers: Tensor  # shape: (taps, ..., N, G)

    def __getitem__(self, rows: Tensor) -> "Shifted":
        """Some of the signals; their taps stay side by side in memory."""
        taps_last = self.powers.movedim(0, -2).index_select(0, rows)
        return Shifted(taps_last.movedim(-2, 0))


class GraphFilter(Module):
    r"""A bank of linear shift-invariant graph filters.

    .. math:: u^f = b^f + \sum_g \sum_{k=0}^{K-1} h_k^{fg} S^k x^g

    Args:
        in_features: Number G of input features.
        out_features: Number F of output features.
        taps: Number K of coefficients per filter; the filter reaches K - 1 hops.
        bias: Add one trainable number per output feature.
        shift: Name of the shift operator, see :meth:`vicinal.Graph.shift`.
        scaled: Divide the shift operator by its spectral radius.

    Shape:
        - x: ``(..., N, G)``, dense, sparse ``(N, G)``, or :class:`Shifted`
        - output: ``(..., N, F)``

    Example:
        >>> import vicinal as vc
        >>> ring = vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        >>> GraphFilter(1, 32, taps=5)(torch.randn(8, 3, 1), ring).shape
        torch.Size([8, 3, 32])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        taps: int,
        *,
        bias: bool = True,
        shift: str = "adjacency",
        scaled: bool = True,
    ) -> None:
        super().__init__()
        check_positive(in_features=in_features, out_features=out_features, taps=taps)
        check_choice("shift", shift, tuple(SHIFTS))
        check_flag("bias", bias)
        check_flag("scaled", scaled)
        self.in_features, self.out_features, self.taps = in_features, out_features, taps
        self.shift, self.scaled = shift, scaled
        self.weight = Parameter(torch.empty(taps, in_features, out_features))
        self.bias = Parameter(torch.empty(out_features)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw coefficients from U(-s, s), s = 1 / sqrt(G K)."""
        bound = (self.in_features * self.taps) ** -0.5
        torch.nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            torch.nn.init.uniform_(self.bias, -bound, bound)

    def prepare(self, graph: Graph) -> Graph:
        """Compute the shift operator ahead, for ``torch.compile`` and export."""
        check_graph(graph)
        self._operator(graph)
        return graph

    def shifted(self, x: Tensor, graph: Graph) -> Shifted:
        """Shift inputs that never change once, to be filtered many times."""
        self._check(x, graph)
        powers = F.shift_powers(x, self._operator(graph), self.taps)
        taps_last = powers.movedim(0, -2).contiguous()  # as a step takes them
        return Shifted(taps_last.movedim(-2, 0))

    def forward(self, x: Tensor | Shifted, graph: Graph) -> Tensor:
        """Map ``(..., N, in_features)`` to ``(..., N, out_features)``."""
        if isinstance(x, Shifted):
            self._check(x.powers, graph)
            if len(x.powers) != self.taps:
                raise ValueError(
                    f"`x` must hold the powers of {self.taps} taps, got {len(x.powers)}"
                )
            u = F.tap_sum(x.powers, self.weight)
            return u if self.bias is None else u + self.bias.to(u.dtype)
        self._check(x, graph)
        return F.graph_filter(x, self._operator(graph), self.weight, self.bias)

    def frequency_response(self, frequencies: Tensor) -> Tensor:
        r"""Response :math:`\sum_k h_k \lambda^k`, ``(...)`` to ``(..., G, F)``.

        Example:
            >>> bank = GraphFilter(1, 1, taps=2)
            >>> _ = bank.weight.data.copy_(torch.tensor([[[1.0]], [[0.5]]]))
            >>> bank.frequency_response(torch.tensor([0.0, 2.0])).flatten().tolist()
            [1.0, 2.0]
        """
        check_tensor("frequencies", frequencies)
        check_device("weight", self.weight, frequencies)
        if not (frequencies.is_floating_point() or frequencies.is_complex()):
            frequencies = frequencies.to(self.weight.dtype)
        exponents = torch.arange(self.taps, device=frequencies.device)
        powers = frequencies.unsqueeze(-1) ** exponents  # (..., taps)
        return torch.einsum("...k,kgf->...gf", powers, self.weight.to(powers.dtype))

    def extra_repr(self) -> str:
        """Settings, for ``repr``."""
        return (
            f"{self.in_features}, {self.out_features}, taps={self.taps}, "
            f"bias={self.bias is not None}, shift={self.shift!r}, scaled={self.scaled}"
        )

    def _operator(self, graph: Graph) -> SparseMatrix:
        return graph.shift(self.shift, scaled=self.scaled, dtype=self.weight.dtype)

    def _check(self, x: Tensor, graph: Graph) -> None:
        check_tensor("x", x)
        check_graph(graph)
        expected = (graph.num_nodes, self.in_features)
        if x.dim() < 2 or x.shape[-2:] != expected:
            raise ValueError(
                f"`x` must have shape (..., {expected[0]}, {expected[1]}), "
                f"got {tuple(x.shape)}"
            )
        if not x.is_floating_point():
            raise TypeError(
                f"`x` must be floating point, got {x.dtype}; "
                "convert it with `x.float()`"
            )
        if x.dtype not in (self.weight.dtype, *HALF):
            raise TypeError(
                f"`x` must be {self.weight.dtype} as the filter, got {x.dtype}; "
                "convert one with `.to(dtype)`"
            )
        if x.device != graph.device:
            raise ValueError(
                f"`graph` must be on the device of `x` ({x.device}), got "
                f"{graph.device}; move it with `graph.to(x.device)`"
            )
        check_device("weight", self.weight, x)


def check_positive(**counts: int) -> None:
    """Refuse what is no positive integer."""
    for name, count in counts.items():
        check_integer(name, count, smallest=1)


register_record(Shifted, ["powers"])
