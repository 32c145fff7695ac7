"""Task: one learning problem, whatever data it comes from."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from vicinal.graphs import Graph

__all__ = ["Task"]

Unit = Literal["signal", "node"]
Loss = Literal["cross_entropy", "mse"]


@dataclass(frozen=True)
class Task:
    """A graph, signals on it, what is to be said of them, and who may see which.

    The three parts index ``target`` along its first dimension: signals if ``unit`` is
    ``"signal"``, nodes of one signal if it is ``"node"``.

    Example:
        >>> graph = Graph.from_edges([(0, 1), (1, 0)])
        >>> x, target = torch.zeros(4, 2, 1), torch.tensor([0, 1, 0, 1])
        >>> parts = torch.arange(4).split([2, 1, 1])
        >>> task = Task(graph, x, target, *parts, unit="signal", num_outputs=2)
        >>> task.loss, task.metrics
        ('cross_entropy', ('accuracy',))
    """

    graph: Graph
    x: Tensor  # shape: (B, N, F), or (N, F) for nodes; may be sparse then
    target: Tensor  # shape: (B,) or (N,) classes; (B, N, C) or (N, C) values
    train: Tensor  # shape: (n,), int64
    valid: Tensor  # shape: (m,), int64; empty where there is no validation part
    test: Tensor  # shape: (k,), int64
    unit: Unit
    num_outputs: int
    loss: Loss = "cross_entropy"
    metrics: tuple[str, ...] = ("accuracy",)  # the first is the one compared
    per_node: bool = False  # whether every node of a signal gets an answer of its own
    checksum: str = ""  # of the files it was read from; "" where it was generated
    facts: tuple[tuple[str, float], ...] = ()  # of the data, to be kept with the score
    parts: tuple[tuple[str, Tensor], ...] = ()  # of the test, scored on their own too

    def __post_init__(self) -> None:
        parts = torch.cat([self.train, self.valid, self.test])
        if len(parts) != len(parts.unique()):
            raise ValueError(
                "`train`, `valid`, `test` must be disjoint, got an overlap"
            )
        if len(parts) and not 0 <= int(parts.min()) <= int(parts.max()) < len(
            self.target
        ):
            raise ValueError(
                f"`train`, `valid`, `test` must be in 0..{len(self.target) - 1}, "
                f"got {int(parts.min())}..{int(parts.max())}"
            )

    def for_test(self, answers: Tensor) -> Tensor:
        """Answers for the test part in the place of all; zeros elsewhere."""
        output = answers.new_zeros(len(self.target), *answers.shape[1:])
        output[self.test] = answers
        return output

    @property
    def readout(self) -> Literal["signal", "node"]:
        """What kind of answer a network has to give."""
        return "node" if self.per_node or self.unit == "node" else "signal"
