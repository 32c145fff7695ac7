"""From settings to a network that fits a task."""

from typing import Any

from torch import Tensor
from torch.nn import Module

from vicinal import nn, rivals
from vicinal.datasets.task import Task
from vicinal.experiments.settings import ModelSettings

__all__ = ["NETWORKS", "build", "fixed_inputs", "hop_weights", "parameter_counts"]

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


def _gnn(settings: ModelSettings, task: Task) -> Module:
    return nn.GNN(
        in_features=task.x.size(-1),
        hidden=[settings.hidden] * settings.layers,
        out_features=task.num_outputs,
        taps=settings.taps,
        activation=settings.activation,
        hops=settings.hops,
        shared=settings.shared,
        initial=settings.initial,
        readout=task.readout,
        num_nodes=task.graph.num_nodes,
        dropout=settings.dropout,
        dropout_form=settings.dropout_form,
        bias=settings.bias,
        shift=settings.shift,
        scaled=settings.scaled,
    )


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


NETWORKS = {"gnn": _gnn, "gcn": _gcn, "sgc": _sgc, "appnp": _appnp}
