"""What every function on signals checks first."""

import torch
from torch import Tensor

from vicinal.graphs import Graph, Neighborhoods
from vicinal.graphs.arguments import check_tensor

__all__ = [
    "HALF",
    "check_device",
    "check_graph",
    "check_hop_weights",
    "check_signal",
]

HALF = (torch.float16, torch.bfloat16)
_FLOATS = (torch.float64, torch.float32, *HALF)


def check_signal(x: Tensor, graph: Graph | Neighborhoods) -> None:
    """Refuse what is no signal on the graph."""
    check_tensor("x", x)
    if not isinstance(graph, Graph | Neighborhoods):
        raise TypeError(f"`graph` must be a vicinal.Graph, got {type(graph).__name__}")
    if x.dtype not in _FLOATS:
        raise TypeError(
            f"`x` must be floating point, got {x.dtype}; convert it with `x.float()`"
        )
    if x.layout != torch.strided:
        raise TypeError(
            f"`x` must be dense, got {x.layout}; convert it with `x.to_dense()`"
        )
    if x.dim() < 2 or x.size(-2) != graph.num_nodes:
        raise ValueError(
            f"`x` must have shape (..., {graph.num_nodes}, features), "
            f"got {tuple(x.shape)}"
        )
    if x.device != graph.indices.device:
        raise ValueError(
            f"`graph` must be on the device of `x` ({x.device}), got "
            f"{graph.indices.device}; move it with `graph.to(x.device)`"
        )


def check_graph(graph: Graph) -> None:
    """Refuse what is no graph."""
    if not isinstance(graph, Graph):
        raise TypeError(f"`graph` must be a vicinal.Graph, got {type(graph).__name__}")


def check_hop_weights(x: Tensor, weight: Tensor, hops: int | None = None) -> None:
    """Refuse hop weights that do not fit a signal, or so many hops."""
    check_tensor("weight", weight)
    some = weight.size(0) - 1 if weight.dim() and weight.size(0) else 1
    rows = (some if hops is None else hops) + 1
    if weight.shape not in ((rows,), (rows, x.size(-1))):
        rule = "hops + 1" if hops is None else rows
        raise ValueError(
            f"`weight` must have shape ({rule},) or ({rule}, {x.size(-1)}), "
            f"got {tuple(weight.shape)}"
        )
    check_device("weight", weight, x)


def check_device(name: str, tensor: Tensor, x: Tensor) -> None:
    """Refuse a tensor that is not where the signal is."""
    if tensor.device != x.device:
        raise ValueError(
            f"`{name}` must be on the device of `x` ({x.device}), got {tensor.device}; "
            "move the module with `module.to(x.device)`"
        )
