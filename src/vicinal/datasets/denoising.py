"""Denoising: a smooth signal told from one with faulty nodes."""

from pathlib import Path

import numpy as np
import torch
from pydantic import Field

from vicinal.datasets.corruption import CorruptionSettings, corrupt, rms
from vicinal.datasets.diffusion import smooth_signals
from vicinal.datasets.families import GraphSettings, draw_graph, mean_degree
from vicinal.datasets.inputs import InputSettings, condition
from vicinal.datasets.samples import Samples
from vicinal.datasets.source import Source, generated
from vicinal.datasets.task import Task

__all__ = ["SOURCE", "Settings", "load"]

_STREAM = 2  # of random numbers; the corruption is drawn from another


class Settings(InputSettings, CorruptionSettings, GraphSettings):
    """Which graph, how smooth the signals, what is wrong with them."""

    smoothing: int = Field(5, ge=0)  # steps of diffusion
    samples: Samples = (2000, 200, 200)  # train, valid, test


def load(settings: Settings, seed: int, folder: Path | None = None) -> Task:
    r"""Draw a graph and smooth signals, the target; what is given is corrupted.

    .. math:: x = \frac{1}{\rho} \Bigl(\frac{I + A / \lambda_{\max}}{2}\Bigr)^{s} g,
        \qquad g \sim N(0, I)

    with :math:`s` = ``smoothing`` steps and :math:`\rho` the root mean square of the
    training part: an answer of zeros has a mean squared error of 1, about.

    Example:
        >>> task = load(Settings(graph="grid", samples=(8, 2, 2)), seed=0)
        >>> task.x.shape, task.target.shape, task.loss
        (torch.Size([12, 100, 1]), torch.Size([12, 100, 1]), 'mse')
    """
    graph = draw_graph(settings, seed)
    draws = np.random.default_rng([seed, _STREAM])
    white = draws.standard_normal((sum(settings.samples), settings.num_nodes))
    train, valid, test = torch.arange(len(white)).split(list(settings.samples))
    signals = smooth_signals(graph, torch.from_numpy(white), settings.smoothing)
    clean = signals / rms(signals[train])  # (B, N)
    measured = corrupt(clean, settings, 1.0, seed)
    if settings.corrupted == "test":
        measured = torch.cat([clean[: -len(test)], measured[-len(test) :]])
    x = condition(measured, train, settings)
    dtype = torch.get_default_dtype()
    return Task(
        graph,
        x.to(dtype).unsqueeze(-1),
        clean.to(dtype).unsqueeze(-1),
        train,
        valid,
        test,
        unit="signal",
        num_outputs=1,
        loss="mse",
        metrics=("mse",),
        per_node=True,
        facts=(("mean_degree", mean_degree(graph)),),
    )


SOURCE = Source(Settings, load, generated)
