"""The library's theorem as an assertion, for our modules and for yours."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn import Module

from vicinal.graphs import Graph

__all__ = ["assert_permutation_equivariant"]


def assert_permutation_equivariant(
    module: Module,
    graph: Graph,
    *,
    features: int = 1,
    batch: int = 3,
    seed: int = 0,
    tolerance: float = 1e-10,
) -> None:
    r"""Check that renumbering the nodes renumbers the output and changes nothing else.

    .. math:: \Phi(P^\top x;\, P^\top S P) = P^\top \Phi(x;\, S)

    Propositions 1 to 3 of the paper. The module is run in float64, and given back as it
    was, on random signals and a random permutation; only values are compared: with
    ties, the neighbour that gets the gradient may depend on the order of the nodes.

    Args:
        module: Called as ``module(x, graph)``, keeps the node dimension.
        graph: Any graph.
        features: Number of input features.
        batch: Number of signals.
        seed: Of the signals and of the permutation.
        tolerance: Largest absolute difference.

    Example:
        >>> import vicinal as vc
        >>> graph = vc.graphs.erdos_renyi(20, 0.3, seed=0)
        >>> assert_permutation_equivariant(vc.nn.MedianActivation(hops=2), graph)
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"`graph` must be a vicinal.Graph, got {type(graph).__name__}")
    generator = torch.Generator().manual_seed(seed)
    shape = (batch, graph.num_nodes, features)
    x = torch.randn(shape, generator=generator, dtype=torch.float64)
    order = torch.randperm(graph.num_nodes, generator=generator)
    with _in_double(module), torch.no_grad():
        expected = _nodes_last(module(x, graph), graph)[..., order, :]
        found = _nodes_last(module(x[:, order], graph.permute(order)), graph)
    difference = (found - expected).abs().max().item()
    if not difference <= tolerance:
        raise AssertionError(
            f"`module` must be permutation equivariant to {tolerance}, got a "
            f"difference of {difference}"
        )


@contextmanager
def _in_double(module: Module) -> Iterator[None]:
    """Evaluate in float64; afterwards every part has its own mode and precision."""
    modes = {part: part.training for part in module.modules()}
    buffers = {part: dict(part._buffers) for part in module.modules()}
    kinds = {parameter: parameter.dtype for parameter in module.parameters()}
    module.double().eval()
    try:
        yield
    finally:
        for parameter, dtype in kinds.items():
            parameter.data = parameter.data.to(dtype)
        for part, mode in modes.items():
            part.training = mode
            part._buffers.update(buffers[part])


def _nodes_last(y: Tensor, graph: Graph) -> Tensor:
    if y.dim() < 2 or y.size(-2) != graph.num_nodes:
        raise AssertionError(
            f"`module` must return (..., {graph.num_nodes}, features), "
            f"got {tuple(y.shape)}"
        )
    return y
