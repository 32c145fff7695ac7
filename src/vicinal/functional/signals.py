"""What every function on signals checks first."""

import torch
from torch import Tensor

from vicinal.graphs import Graph, Neighborhoods

__all__ = ["HALF", "check_signal"]

HALF = (torch.float16, torch.bfloat16)
_FLOATS = (torch.float64, torch.float32, *HALF)


def check_signal(x: Tensor, graph: Graph | Neighborhoods) -> None:
    """Refuse what is no signal on the graph."""
    if not isinstance(x, Tensor):
        raise TypeError(f"`x` must be a tensor, got {type(x).__name__}")
    if not isinstance(graph, Graph | Neighborhoods):
        raise TypeError(f"`graph` must be a vicinal.Graph, got {type(graph).__name__}")
    if x.dtype not in _FLOATS:
        raise TypeError(
            f"`x` must be floating point, got {x.dtype}; convert it with `x.float()`"
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
