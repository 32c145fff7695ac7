"""Graph neural networks whose activation functions see the graph.

- :mod:`vicinal.graphs` -- graphs, neighbourhoods, shift operators, generators
- :mod:`vicinal.functional` -- local median, max, rank and mean; graph filters
- :mod:`vicinal.nn` -- the same as modules with trainable weights, and a GNN
- :mod:`vicinal.pyg` -- the activations with PyG's ``(x, edge_index)`` (extra ``pyg``)
- :mod:`vicinal.testing` -- the library's theorem as an assertion
- :mod:`vicinal.kernels` -- the loops underneath

Names are loaded when first used, so that ``import vicinal`` costs nothing.

Example:
    >>> import torch, vicinal as vc
    >>> edge_index = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    >>> graph = vc.Graph.from_edges(edge_index, num_nodes=4)
    >>> x = torch.randn(8, graph.num_nodes, 32, requires_grad=True)
    >>> y = vc.functional.local_median(x, graph, hops=2)
    >>> y.shape
    torch.Size([8, 2, 4, 32])
    >>> act = vc.nn.MedianActivation(hops=2, features=32)
    >>> z = act(x, graph)
    >>> model = vc.nn.GNN(
    ...     in_features=1, hidden=[32], taps=5, activation="median", hops=1,
    ...     readout="signal", num_nodes=4, out_features=10,
    ... )
    >>> model(torch.randn(8, 4, 1), graph).shape
    torch.Size([8, 10])
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal import functional as functional
    from vicinal import graphs as graphs
    from vicinal import kernels as kernels
    from vicinal import nn as nn
    from vicinal import testing as testing
    from vicinal.graphs import Graph as Graph
    from vicinal.graphs import memory_limit as memory_limit
    from vicinal.graphs import set_memory_limit as set_memory_limit

__version__ = "0.1.0"
__all__ = [
    "Graph",
    "functional",
    "graphs",
    "kernels",
    "memory_limit",
    "nn",
    "set_memory_limit",
    "testing",
]

_FROM_GRAPHS = ("Graph", "memory_limit", "set_memory_limit")


def __getattr__(name: str) -> Any:
    if name in _FROM_GRAPHS:
        return getattr(importlib.import_module("vicinal.graphs"), name)
    if name in __all__ or name == "pyg":
        return importlib.import_module(f"vicinal.{name}")
    raise AttributeError(f"module 'vicinal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "pyg", "__version__"])
