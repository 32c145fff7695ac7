"""Attribution: a task on excerpts, with what only stylometry asks for."""

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from vicinal.datasets.task import Task
from vicinal.datasets.tokens import Numbers
from vicinal.datasets.wan import Window, adjacency

__all__ = ["Attribution"]

_NOTHING = np.empty((0, 0))


@dataclass(frozen=True)
class Attribution(Task):
    """A task whose signals are counts of words in excerpts.

    The excerpts themselves are kept, as numbers of words, for methods that build a
    network of each.
    """

    authors: Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.int64))
    counts: Tensor = field(default_factory=lambda: torch.empty(0, 0))  # shape: (B, N)
    words: Numbers = field(default_factory=lambda: _NOTHING)  # shape: (B, L)
    cuts: Numbers = field(default_factory=lambda: _NOTHING)  # shape: (B, L)
    window: Window = field(default_factory=Window)
    vocabulary: tuple[str, ...] = ()  # the N words

    def pairs(self, excerpts: Tensor) -> Numbers:  # shape: (N, N)
        """Discounted counts of pairs of words, summed over some excerpts."""
        chosen = excerpts.numpy()
        num_words = self.graph.num_nodes
        return adjacency(self.words[chosen], self.cuts[chosen], num_words, self.window)
