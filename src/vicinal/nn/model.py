"""GNN: filter, activation, repeated; then a readout."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from torch import Tensor, nn
from torch.nn import Module

from vicinal.functional.policies import Empty, check_empty
from vicinal.graphs import Graph
from vicinal.graphs.arguments import check_choice, check_flag, check_probability
from vicinal.graphs.neighborhoods import check_hops
from vicinal.nn.activation import MaxActivation, MeanActivation, MedianActivation
from vicinal.nn.dropout import Dropout
from vicinal.nn.filter import GraphFilter, Shifted, check_positive
from vicinal.nn.local import Initial, LocalActivation, Reach
from vicinal.nn.pointwise import Maxout, Pointwise
from vicinal.nn.readout import NodeReadout, SignalReadout

__all__ = ["GNN"]

_LOCAL: dict[str, type[LocalActivation]] = {
    "max": MaxActivation,
    "mean": MeanActivation,
    "median": MedianActivation,
}
_POINTWISE: dict[str, Callable[[int], Module]] = {  # by the number of features
    "identity": lambda _: nn.Identity(),
    "maxout": Maxout,
    "prelu": lambda _: nn.PReLU(),
    "relu": lambda _: nn.ReLU(),
    "tanh": lambda _: nn.Tanh(),
}
_Activation = str | Module


class GNN(Module):
    """A graph neural network: filter then activation, layer by layer, then a readout.

    ``taps``, ``activation``, ``hops``, ``reach`` and ``shift`` are one for all layers,
    or a list with one each: every layer may have its own shift and neighbourhoods.

    Args:
        in_features: Number of input features.
        hidden: Number of features of each layer.
        out_features: Number of outputs: classes, or values.
        taps: Number of filter coefficients.
        activation: ``"max"``, ``"median"``, ``"mean"``; ``"relu"``, ``"prelu"``,
            ``"tanh"``, ``"maxout"``, ``"identity"``; or a module, copied for each
            layer: a :class:`LocalActivation` or any module of one tensor.
        hops: Largest hop count of a local activation named by a string.
        shared: One weight vector for all features of a layer (else one each).
        initial: How hop weights start, see :class:`LocalActivation`.
        reach: Which neighbourhoods a named activation sees, see
            :class:`LocalActivation`.
        empty: What an empty neighbourhood gives, see :class:`LocalActivation`.
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
        >>> import torch, vicinal as vc
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
        taps: int | Sequence[int] = 5,
        activation: _Activation | Sequence[_Activation] = "median",
        hops: int | Sequence[int] = 1,
        shared: bool = False,
        initial: Initial = "mean",
        reach: Reach | Sequence[Reach] = "within",
        empty: Empty = "raise",
        readout: Literal["signal", "node"] = "node",
        num_nodes: int | None = None,
        dropout: float = 0.0,
        dropout_form: Literal["elements", "nodes"] = "elements",
        bias: bool = True,
        shift: str | Sequence[str] = "adjacency",
        scaled: bool = True,
    ) -> None:
        super().__init__()
        _check(in_features, hidden, dropout, shared, empty)
        layers, widths = len(hidden), [in_features, *hidden]
        self.filters = nn.ModuleList(_filters(widths, taps, shift, bias, scaled))
        self.activations = nn.ModuleList(
            _activation(named, width, shared, _Local(k, around, initial, empty))
            for named, width, k, around in zip(
                _per_layer("activation", activation, layers),
                hidden,
                _per_layer("hops", hops, layers),
                _per_layer("reach", reach, layers),
                strict=True,
            )
        )
        check_choice("dropout_form", dropout_form, ("elements", "nodes"))
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
        for module in (*self.filters, *self.activations):
            module.prepare(graph)
        return graph


@dataclass(frozen=True)
class _Local:
    """Settings of a local activation named by a string."""

    hops: int
    reach: Reach
    initial: Initial
    empty: Empty


def _filters(
    widths: list[int],
    taps: int | Sequence[int],
    shift: str | Sequence[str],
    bias: bool,
    scaled: bool,
) -> Iterator[GraphFilter]:
    layers = len(widths) - 1
    for k, taps_k, shift_k in zip(
        range(layers),
        _per_layer("taps", taps, layers),
        _per_layer("shift", shift, layers),
        strict=True,
    ):
        ends = widths[k], widths[k + 1]
        yield GraphFilter(*ends, taps_k, bias=bias, shift=shift_k, scaled=scaled)


def _activation(
    named: _Activation, width: int, shared: bool, local: _Local
) -> LocalActivation | Pointwise:
    check_hops(local.hops)
    check_choice("reach", local.reach, ("within", "exact", "component"))
    if isinstance(named, LocalActivation | Pointwise):
        return copy.deepcopy(named)
    if isinstance(named, Module):
        return Pointwise(copy.deepcopy(named))
    if named in _LOCAL:
        return _LOCAL[named](
            local.hops,
            None if shared else width,
            initial=local.initial,
            reach=local.reach,
            empty=local.empty,
        )
    if named in _POINTWISE:
        return Pointwise(_POINTWISE[named](width))
    raise ValueError(
        f"`activation` must be a module or one of {sorted({*_LOCAL, *_POINTWISE})}, "
        f"got {named!r}"
    )


def _per_layer(name: str, value: Any, layers: int) -> list[Any]:
    """One value for all layers, or a list with one each."""
    if not isinstance(value, list | tuple | nn.ModuleList):
        return [value] * layers
    if len(value) != layers:
        raise ValueError(
            f"`{name}` must be one for all layers or list {layers}, got {len(value)}"
        )
    return list(value)


def _check(
    in_features: int,
    hidden: Sequence[int],
    dropout: float,
    shared: bool,
    empty: Empty,
) -> None:
    if isinstance(hidden, str | int) or not hidden:
        raise ValueError(
            f"`hidden` must list the features of at least one layer, got {hidden!r}"
        )
    check_positive(in_features=in_features)
    for width in hidden:
        check_positive(hidden=width)
    check_probability("dropout", dropout)
    check_flag("shared", shared)
    check_empty(empty)


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
