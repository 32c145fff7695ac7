"""From settings to a network that fits a task."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from vicinal import nn, rivals
from vicinal.baselines import MLP
from vicinal.datasets.task import Task
from vicinal.experiments.settings import ModelSettings

__all__ = ["NETWORKS", "build", "fixed_inputs", "hop_weights"]
__all__ += ["parameter_counts", "per_node"]

_LARGEST_SHIFTED = 2**28  # numbers that shifted inputs may hold


def build(settings: ModelSettings, task: Task) -> Module:
    """A network with fresh parameters for a task."""
    try:
        make = NETWORKS[settings.model]
    except KeyError:
        raise ValueError(
            f"`model` must be one of {sorted(NETWORKS)}, got {settings.model!r}"
        ) from None
    return make(settings, task)


def fixed_inputs(model: Module, task: Task) -> Any:
    """Shift inputs once where they are narrower than the features made of them."""
    if not isinstance(model, nn.GNN) or task.unit == "node":
        return task.x
    first = model.filters[0]
    assert isinstance(first, nn.GraphFilter)
    small = task.x.numel() * first.taps <= _LARGEST_SHIFTED
    if small and first.in_features < first.out_features:
        return first.shifted(task.x, task.graph)
    return task.x


def parameter_counts(model: Module) -> dict[str, int]:
    """Trainable numbers: all, those of the readout, and the others."""
    total = sum(p.numel() for p in model.parameters())
    readout = getattr(model, "readout", None)
    last = sum(p.numel() for p in readout.parameters()) if readout else 0
    return {"total": total, "readout": last, "convolution": total - last}


def hop_weights(model: Module) -> list[list[float]]:
    """Learned weights of each layer's hops, averaged over features."""
    if not isinstance(model, nn.GNN):
        return []
    weights: list[Tensor] = [
        layer.weight.detach()
        for layer in model.activations
        if isinstance(layer, nn.LocalActivation) and layer.weight is not None
    ]
    return [(w if w.dim() == 1 else w.mean(1)).tolist() for w in weights]


def per_node(settings: ModelSettings, in_features: int, out_features: int) -> nn.GNN:
    """A GNN with fresh parameters that answers at every node, on any graph."""
    return _of_sizes(settings, in_features, out_features, readout="node")


def _gnn(settings: ModelSettings, task: Task) -> nn.GNN:
    return _of_sizes(
        settings,
        task.x.size(-1),
        task.num_outputs,
        readout=task.readout,
        num_nodes=task.graph.num_nodes,
    )


def _of_sizes(
    settings: ModelSettings, in_features: int, out_features: int, **readout: Any
) -> nn.GNN:
    return nn.GNN(
        in_features=in_features,
        hidden=[settings.hidden] * settings.layers,
        out_features=out_features,
        taps=settings.taps,
        activation=[_activation(settings) for _ in range(settings.layers)],
        dropout=settings.dropout,
        dropout_form=settings.dropout_form,
        bias=settings.bias,
        shift=_shifts(settings),
        scaled=settings.scaled,
        **readout,
    )


def _activation(settings: ModelSettings) -> str | Module:
    if settings.activation == "maxout":
        return nn.Maxout(settings.hidden)
    if settings.activation not in _LOCAL:
        return settings.activation
    convention = {"convention": settings.convention}
    return _LOCAL[settings.activation](
        settings.hops,
        None if settings.shared else settings.hidden,
        initial=settings.initial,
        reach=settings.neighborhoods,
        pointwise=torch.relu if settings.pointwise == "relu" else None,
        **(convention if settings.activation == "median" else {}),
    )


def _shifts(settings: ModelSettings) -> list[str]:
    """The shift of each layer: another one from the second on, if there is one."""
    if settings.second_shift == "none":
        return [settings.shift] * settings.layers
    return [settings.shift] + [settings.second_shift] * (settings.layers - 1)


def _mlp(settings: ModelSettings, task: Task) -> Module:
    """One hidden layer over all nodes, of about as many parameters as the GNN."""
    outputs = task.num_outputs * (task.graph.num_nodes if task.per_node else 1)
    inputs = task.graph.num_nodes * task.x.size(-1)
    with torch.device("meta"):
        size = parameter_counts(_gnn(settings, task))["total"]
    width = max(round((size - outputs) / (inputs + 1 + outputs)), settings.hidden)
    return MLP(inputs, width, outputs, settings.dropout, per_node=task.per_node)


def _gcn(settings: ModelSettings, task: Task) -> Module:
    return rivals.GCN(
        task.x.size(-1),
        settings.hidden,
        task.num_outputs,
        dropout=settings.dropout,
        shift=settings.shift,
    )


def _sgc(settings: ModelSettings, task: Task) -> Module:
    reach = settings.taps - 1
    return rivals.SGC(
        task.x.size(-1), task.num_outputs, steps=reach, shift=settings.shift
    )


def _appnp(settings: ModelSettings, task: Task) -> Module:
    return rivals.APPNP(
        task.x.size(-1),
        settings.hidden,
        task.num_outputs,
        steps=settings.taps - 1,
        dropout=settings.dropout,
        shift=settings.shift,
    )


_LOCAL: dict[str, Callable[..., nn.LocalActivation]] = {
    "max": nn.MaxActivation,
    "mean": nn.MeanActivation,
    "median": nn.MedianActivation,
}
NETWORKS = {
    "gnn": _gnn,
    "mlp": _mlp,
    "gcn": _gcn,
    "sgc": _sgc,
    "appnp": _appnp,
}
