"""Source localisation: which node was hit, told from a diffused signal (V-A)."""

from pathlib import Path
from typing import Literal

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from vicinal.datasets.source import Source, generated
from vicinal.datasets.task import Task
from vicinal.graphs import Graph, erdos_renyi, random_geometric

__all__ = ["SOURCE", "Settings", "load"]


class Settings(BaseModel):
    """What may be set; the defaults are the decisions on what the paper leaves open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    graph: Literal["erdos-renyi", "geometric"] = "erdos-renyi"
    num_nodes: int = Field(100, ge=2)
    density: float = Field(0.4, gt=0)  # edge probability, or radius
    connected: bool = True
    sources: int = Field(10, ge=2)
    times: tuple[int, int] = (1, 10)  # first and last diffusion time
    samples: tuple[int, int, int] = (10_000, 200, 200)  # train, valid, test


def load(settings: Settings, seed: int, folder: Path | None = None) -> Task:
    r"""Draw a graph, sources and diffused impulses.

    .. math:: x(t) = \bigl(A / \lambda_{\max}\bigr)^t \delta_c

    Example:
        >>> task = load(Settings(samples=(8, 2, 2)), seed=0)
        >>> task.x.shape, task.num_outputs
        (torch.Size([12, 100, 1]), 10)
    """
    generator = torch.Generator().manual_seed(seed)
    graph = _graph(settings, seed)
    chosen = torch.randperm(settings.num_nodes, generator=generator)[: settings.sources]
    total = sum(settings.samples)
    labels = torch.randint(settings.sources, (total,), generator=generator)
    first, last = settings.times
    times = torch.randint(first, last + 1, (total,), generator=generator)
    x = impulses(graph, chosen, last)[times, labels]  # (B, N)
    train, valid, test = torch.arange(total).split(list(settings.samples))
    return Task(
        graph,
        x.unsqueeze(-1),
        labels,
        train,
        valid,
        test,
        unit="signal",
        num_outputs=settings.sources,
    )


def impulses(graph: Graph, sources: Tensor, last: int) -> Tensor:  # shape: (t, C, N)
    """Impulses at the sources after 0, ..., ``last`` steps of diffusion."""
    diffusion = graph.shift("adjacency", dtype=torch.float64).to_dense()
    state = torch.eye(graph.num_nodes, dtype=torch.float64)[sources]  # (C, N)
    states = [state]
    for _ in range(last):
        state = state @ diffusion.T
        states.append(state)
    return torch.stack(states).to(torch.get_default_dtype())


def _graph(settings: Settings, seed: int) -> Graph:
    draw = erdos_renyi if settings.graph == "erdos-renyi" else random_geometric
    return draw(
        settings.num_nodes, settings.density, seed=seed, connected=settings.connected
    )


SOURCE = Source(Settings, load, generated)
