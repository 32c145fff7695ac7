"""Signals that come of diffusion over a graph, in double precision."""

import torch
from torch import Tensor

from vicinal.graphs import Graph

__all__ = ["diffused_impulses", "diffusion", "smooth_signals"]


def diffusion(graph: Graph) -> Tensor:  # shape: (N, N)
    r"""One step of diffusion, :math:`W = A / \lambda_{\max}`.

    Example:
        >>> diffusion(Graph.from_edges([(0, 1), (1, 0)])).abs()
        tensor([[0., 1.],
                [1., 0.]], dtype=torch.float64)
    """
    return graph.shift("adjacency", dtype=torch.float64).to_dense()


def diffused_impulses(
    graph: Graph,
    sources: Tensor,  # shape: (C,)
    last: int,
) -> Tensor:  # shape: (last + 1, C, N)
    r"""Impulses at the sources after 0, ..., ``last`` steps of diffusion.

    .. math:: x_c(t) = W^t \delta_c

    Example:
        >>> pair = Graph.from_edges([(0, 1), (1, 0)])
        >>> diffused_impulses(pair, torch.tensor([0]), last=1).squeeze(1)
        tensor([[1., 0.],
                [0., 1.]], dtype=torch.float64)
    """
    step = diffusion(graph)
    state = torch.eye(graph.num_nodes, dtype=torch.float64)[sources]  # (C, N)
    states = [state]
    for _ in range(last):
        state = state @ step.T
        states.append(state)
    return torch.stack(states)


def smooth_signals(
    graph: Graph,
    white: Tensor,  # shape: (B, N), standard normal numbers
    steps: int,
) -> Tensor:  # shape: (B, N)
    r"""White noise after some steps of lazy diffusion: the more, the smoother.

    .. math:: x = \Bigl(\tfrac{I + W}{2}\Bigr)^{s} g, \qquad g \sim N(0, I)

    Example:
        >>> pair = Graph.from_edges([(0, 1), (1, 0)])
        >>> smooth_signals(pair, torch.tensor([[2.0, 0.0]], dtype=torch.float64), 1)
        tensor([[1., 1.]], dtype=torch.float64)
    """
    lazy = (torch.eye(graph.num_nodes, dtype=torch.float64) + diffusion(graph)) / 2
    smoother: Tensor = torch.linalg.matrix_power(lazy, steps)
    return white @ smoother.T
