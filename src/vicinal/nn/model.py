"""GNN: filter, activation, repeated; then a readout."""

import copy
import itertools
from collections.abc import Callable, Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import Module

from vicinal.graphs import Graph
from vicinal.nn.activation import (
    Initial,
    LocalActivation,
    MaxActivation,
    MeanActivation,
    MedianActivation,
)
from vicinal.nn.dropout import Dropout
from vicinal.nn.filter import GraphFilter, Shifted, check_positive
from vicinal.nn.readout import NodeReadout, SignalReadout

__all__ = ["GNN", "Pointwise"]

_LOCAL: dict[str, type[LocalActivation]] = {
    "max": MaxActivation,
    "mean": MeanActivation,
    "median": MedianActivation,
}
_POINTWISE: dict[str, Callable[[], Module]] = {
    "identity": nn.Identity,
    "prelu": nn.PReLU,
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
}


class Pointwise(Module):
    """A module that looks at one node at a time, called like a local activation.

    Args:
        module: Any module of one tensor, such as ``torch.nn.ReLU()``.

    Example:
        >>> import vicinal as vc
        >>> ring = vc.Graph.from_edges([(0, 1), (1, 0)])
        >>> Pointwise(nn.ReLU())(torch.tensor([[-1.0], [2.0]]), ring).flatten()
        tensor([0., 2.])
    """

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, x: Tensor, graph: Graph) -> Tensor:
        """Map ``(..., N, F)`` to what the module makes of it; the graph is unused."""
        answer: Tensor = self.module(x)
        return answer


class GNN(Module):
    """A graph neural network: filter then activation, layer by layer, then a readout.

    Args:
        in_features: Number of input features.
        hidden: Number of features of each layer.
        out_features: Number of outputs: classes, or values.
        taps: Number of filter coefficients.
        activation: ``"relu"``, ``"prelu"``, ``"tanh"``, ``"identity"``, ``"max"``,
            ``"median"``, ``"mean"``, or a module, copied for each layer: a
            :class:`LocalActivation` or any module of one tensor.
        hops: Largest hop count of a local activation named by a string.
        shared: One weight vector for all features of a layer (else one each).
        initial: How hop weights start, see :class:`LocalActivation`.
        readout: ``"signal"`` (flatten, one linear layer), ``"node"`` (one linear layer
            shared by all nodes).
        num_nodes: Number of nodes, for ``readout="signal"``.
        dropout: Probability of dropping a feature of a node after each activation.
        dropout_form: ``"elements"`` drops features one by one, ``"nodes"`` all features
            of a node.
        bias: Whether filters add a bias.
        shift: Shift operator of the filters, see :meth:`vicinal.Graph.shift`.
        scaled: Divide it by its spectral radius.

    Shape:
        - x: ``(..., N, in_features)``, or :class:`Shifted` for the first layer
        - output: ``(..., out_features)`` or ``(..., N, out_features)``

    Example:
        >>> import vicinal as vc
        >>> graph = vc.graphs.erdos_renyi(20, 0.4, seed=0)
        >>> model = GNN(
        ...     in_features=1, hidden=[32], taps=5, activation="median", hops=1,
        ...     readout="signal", num_nodes=20, out_features=10,
        ... )
        >>> model(torch.randn(8, 20, 1), graph).shape
        torch.Size([8, 10])
    """

    def __init__(
        self,
        in_features: int,
        hidden: Sequence[int],
        out_features: int,
        *,
        taps: int = 5,
        activation: str | Module = "median",
        hops: int = 1,
        shared: bool = False,
        initial: Initial = "mean",
        readout: Literal["signal", "node"] = "node",
        num_nodes: int | None = None,
        dropout: float = 0.0,
        dropout_form: Literal["elements", "nodes"] = "elements",
        bias: bool = True,
        shift: str = "adjacency",
        scaled: bool = True,
    ) -> None:
        super().__init__()
        if isinstance(hidden, str | int) or not hidden:
            raise ValueError(
                f"`hidden` must list the features of at least one layer, got {hidden!r}"
            )
        check_positive(in_features=in_features)
        for width in hidden:
            check_positive(hidden=width)
        widths = [in_features, *hidden]
        self.filters = nn.ModuleList(
            GraphFilter(a, b, taps, bias=bias, shift=shift, scaled=scaled)
            for a, b in itertools.pairwise(widths)
        )
        self.activations = nn.ModuleList(
            _activation(activation, hops, None if shared else width, initial)
            for width in hidden
        )
        self.dropout = Dropout(dropout, form=dropout_form)
        self.readout = _readout(readout, num_nodes, widths[-1], out_features)

    def forward(self, x: Tensor | Shifted, graph: Graph) -> Tensor:
        """Map signals on the graph to logits or values."""
        for bank, activation in zip(self.filters, self.activations, strict=True):
            x = self.dropout(activation(bank(x, graph), graph))
        answer: Tensor = self.readout(x)
        return answer

    def prepare(self, graph: Graph) -> Graph:
        """Compute ahead all that the model needs of the graph; return the graph.

        Example:
            >>> import vicinal as vc
            >>> ring = vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
            >>> GNN(1, [4], 2).prepare(ring)
            Graph(num_nodes=3, num_edges=3)
        """
        weight = next(self.parameters())  # (taps, in_features, out_features)
        with torch.no_grad():
            x = weight.new_zeros(graph.num_nodes, weight.size(1))
            for bank, activation in zip(self.filters, self.activations, strict=True):
                x = activation(bank(x, graph), graph)
        return graph


def _activation(
    named: str | Module, hops: int, features: int | None, initial: Initial
) -> Module:
    if isinstance(named, LocalActivation):
        return copy.deepcopy(named)
    if isinstance(named, Module):
        return Pointwise(copy.deepcopy(named))
    if named in _LOCAL:
        return _LOCAL[named](hops, features, initial=initial)
    if named in _POINTWISE:
        return Pointwise(_POINTWISE[named]())
    raise ValueError(
        f"`activation` must be a module or one of {sorted({*_LOCAL, *_POINTWISE})}, "
        f"got {named!r}"
    )


def _readout(
    named: str, num_nodes: int | None, in_features: int, out_features: int
) -> Module:
    if named == "node":
        return NodeReadout(in_features, out_features)
    if named != "signal":
        raise ValueError(f"`readout` must be 'signal' or 'node', got {named!r}")
    if num_nodes is None:
        raise ValueError("`num_nodes` must be given for readout='signal', got None")
    return SignalReadout(num_nodes, in_features, out_features)
