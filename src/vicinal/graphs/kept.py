"""What a graph keeps: computed once, never inside a compiled program."""

from collections.abc import Callable
from typing import TypeVar

import torch

from vicinal.graphs.neighborhoods import Neighborhoods
from vicinal.graphs.outside import outside_transforms
from vicinal.graphs.pytree import map_tensors
from vicinal.graphs.sparse import SparseMatrix

__all__ = ["Keepable", "compute"]

Keepable = TypeVar("Keepable", Neighborhoods, SparseMatrix)


def compute(
    key: str, make: Callable[[], Keepable], remedy: str, device: torch.device
) -> Keepable:
    """Make what a graph will keep under ``key``; ``remedy`` is the call to do so."""
    if torch.compiler.is_compiling():
        raise RuntimeError(
            f"`graph` must be prepared before it is compiled or exported, got one "
            f"without {key!r}; call `{remedy}` first"
        )
    if device.type == "meta":
        raise ValueError(
            f"`graph` must hold data to be explored, got one on {device} without "
            f"{key!r}; call `{remedy}` before it is moved"
        )
    with outside_transforms():
        return map_tensors(lambda tensor: tensor.to(device), make())
