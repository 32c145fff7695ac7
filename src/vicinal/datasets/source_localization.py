"""Source localisation: which node was hit, told from a diffused signal (V-A)."""

from dataclasses import dataclass
from pathlib import Path

import torch
from pydantic import Field, field_validator
from pydantic_core.core_schema import ValidationInfo
from torch import Tensor

from vicinal.datasets.corruption import CorruptionSettings, corrupt, rms
from vicinal.datasets.diffusion import diffused_impulses
from vicinal.datasets.families import GraphSettings, draw_graph, mean_degree
from vicinal.datasets.inputs import InputSettings, condition
from vicinal.datasets.samples import Samples
from vicinal.datasets.source import Source, generated
from vicinal.datasets.task import Task
from vicinal.graphs import Graph

__all__ = ["SOURCE", "Draw", "Settings", "draw", "load", "observed", "test_times"]


class Settings(InputSettings, CorruptionSettings, GraphSettings):
    """What may be set; the defaults are the decisions on what the paper leaves open."""

    sources: int = Field(10, ge=2)
    times: tuple[int, int] = (1, 10)  # first and last diffusion time
    held_out: tuple[int, ...] = ()  # times of the test part that training never sees
    samples: Samples = (10_000, 200, 200)  # train, valid, test

    @field_validator("sources")
    @classmethod
    def _on_nodes(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("num_nodes", value):
            raise ValueError("at most the number of nodes")
        return value

    @field_validator("times")
    @classmethod
    def _ordered(cls, value: tuple[int, int]) -> tuple[int, int]:
        if not 0 <= value[0] <= value[1]:
            raise ValueError("a first and a last time, from 0 on, in this order")
        return value

    @field_validator("held_out")
    @classmethod
    def _some_left(
        cls, value: tuple[int, ...], info: ValidationInfo
    ) -> tuple[int, ...]:
        first, last = info.data.get("times", (0, 0))
        span = set(range(first, last + 1))
        if len(set(value)) != len(value) or not span.issuperset(value):
            raise ValueError(f"distinct times from {first} to {last}, those of `times`")
        if span == set(value):
            raise ValueError("some of the times only: training needs the others")
        return value


@dataclass(frozen=True)
class Draw:
    """All that is random but for the corruption, which leaves it alone."""

    graph: Graph
    sources: Tensor  # shape: (C,), nodes
    labels: Tensor  # shape: (B,), index into the sources
    times: Tensor  # shape: (B,)
    impulses: Tensor  # shape: (last + 1, C, N), float64
    parts: tuple[Tensor, ...]  # train, valid, test

    @property
    def clean(self) -> Tensor:  # shape: (B, N)
        """The signals before anything went wrong."""
        return self.impulses[self.times, self.labels]


def draw(settings: Settings, seed: int) -> Draw:
    """Draw a graph, sources, and for each signal a source and a time, uniformly.

    The same seed draws the same, however the signals are corrupted afterwards.

    Example:
        >>> drawn = draw(Settings(samples=(8, 2, 2), held_out=(3, 7)), seed=0)
        >>> sorted({*drawn.times.tolist()[:10]} & {3, 7})
        []
    """
    generator = torch.Generator().manual_seed(seed)
    graph = draw_graph(settings, seed)
    chosen = torch.randperm(settings.num_nodes, generator=generator)[: settings.sources]
    total = sum(settings.samples)
    labels = torch.randint(settings.sources, (total,), generator=generator)
    share = torch.rand(total, generator=generator, dtype=torch.float64)
    parts = torch.arange(total).split(list(settings.samples))
    times = torch.empty(total, dtype=torch.int64)
    for rows, choices in zip(parts, _choices(settings), strict=True):
        times[rows] = choices[(share[rows] * len(choices)).long()]
    impulses = diffused_impulses(graph, chosen, settings.times[1])
    return Draw(graph, chosen, labels, times, impulses, parts)


def load(settings: Settings, seed: int, folder: Path | None = None) -> Task:
    r"""Draw a graph, sources and diffused impulses; corrupt and condition them.

    .. math:: x(t) = \bigl(A / \lambda_{\max}\bigr)^t \delta_c

    Example:
        >>> task = load(Settings(samples=(8, 2, 2)), seed=0)
        >>> task.x.shape, task.num_outputs
        (torch.Size([12, 100, 1]), 10)
    """
    drawn = draw(settings, seed)
    train, valid, test = drawn.parts
    x = condition(observed(drawn, settings, seed), train, settings, low=0.0)
    return Task(
        drawn.graph,
        x.to(torch.get_default_dtype()).unsqueeze(-1),
        drawn.labels,
        train,
        valid,
        test,
        unit="signal",
        num_outputs=settings.sources,
        facts=(
            ("mean_degree", mean_degree(drawn.graph)),
            ("clean_rms", rms(drawn.clean[train])),
        ),
    )


def observed(drawn: Draw, settings: Settings, seed: int) -> Tensor:  # shape: (B, N)
    """The signals as they are measured: corrupted where they are to be."""
    clean = drawn.clean
    noisy = corrupt(clean, settings, rms(clean[drawn.parts[0]]), seed)
    if settings.corrupted == "both":
        return noisy
    mixed = clean.clone()
    mixed[drawn.parts[2]] = noisy[drawn.parts[2]]
    return mixed


def test_times(settings: Settings) -> Tensor:
    """Times that test signals are drawn from, all alike.

    Example:
        >>> test_times(Settings(held_out=(3, 7)))
        tensor([3, 7])
    """
    return torch.tensor(settings.held_out or _seen(settings))


def _choices(settings: Settings) -> tuple[Tensor, Tensor, Tensor]:
    """Times to draw from: of training, validation and test."""
    seen = torch.tensor(_seen(settings))
    return seen, seen, test_times(settings)


def _seen(settings: Settings) -> list[int]:
    first, last = settings.times
    return [t for t in range(first, last + 1) if t not in settings.held_out]


SOURCE = Source(Settings, load, generated)
