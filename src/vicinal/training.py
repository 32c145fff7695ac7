"""A plain training loop: a model and a task in, its history out."""

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn import Module, functional

from vicinal.datasets.task import Task
from vicinal.metrics import METRICS

__all__ = ["History", "Schedule", "Training", "evaluate", "fit"]

Schedule = Literal["constant", "cosine", "halving"]
Losses = Callable[[Tensor, Tensor], Tensor]

_LOSSES: dict[str, Losses] = {
    "cross_entropy": functional.cross_entropy,
    "mse": functional.mse_loss,
}
_HALVE_EVERY = 10  # epochs


@dataclass(frozen=True)
class Training:
    """How to train: Adam with the paper's settings unless said otherwise.

    Example:
        >>> Training(epochs=30).learning_rate
        0.005
    """

    epochs: int = 20
    batch: int | None = 100  # signals per step; None takes all at once
    learning_rate: float = 0.005
    weight_decay: float = 0.0
    schedule: Schedule = "constant"
    patience: int | None = None  # epochs without a better validation loss before a stop


@dataclass
class History:
    """What was seen after every epoch, and the parameters of the best one.

    Example:
        >>> History(valid_loss=[0.5, 0.2, 0.3]).best
        1
    """

    train_loss: list[float] = field(default_factory=list)
    valid_loss: list[float] = field(default_factory=list)
    test: dict[str, list[float]] = field(default_factory=dict)  # by metric
    valid: dict[str, list[float]] = field(default_factory=dict)
    best_state: dict[str, Tensor] | None = None

    @property
    def best(self) -> int | None:
        """Epoch with the lowest validation loss; none without validation data."""
        seen = [loss for loss in self.valid_loss if not math.isnan(loss)]
        return self.valid_loss.index(min(seen)) if seen else None


def fit(
    model: Module,
    task: Task,
    inputs: Any,
    training: Training,
    seed: int,
    on_epoch: Callable[[int, History], None] = lambda epoch, history: None,
) -> History:
    """Train a model on the training part of a task; score it after every epoch.

    Args:
        model: Called as ``model(x, graph)``; trained in place.
        task: The problem.
        inputs: What the model takes in place of ``task.x``: the same, or its shifts.
        training: How.
        seed: Of the order of the samples and of dropout.
        on_epoch: Called after every epoch, for logs and progress.
    """
    with torch.random.fork_rng(devices=[]):  # the caller's randomness stays as it was
        torch.manual_seed(seed)
        return _fitted(model, task, inputs, training, seed, on_epoch)


def _fitted(
    model: Module,
    task: Task,
    inputs: Any,
    training: Training,
    seed: int,
    on_epoch: Callable[[int, History], None],
) -> History:
    model.train()
    order = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(
        model.parameters(),
        lr=training.learning_rate,
        weight_decay=training.weight_decay,
        fused=True,  # one pass over the parameters: a wide readout has many
    )
    history = History()
    for epoch in range(training.epochs):
        for group in optimizer.param_groups:
            group["lr"] = _rate(training, epoch)
        loss = _epoch(model, task, inputs, training, optimizer, order)
        history.train_loss.append(loss)
        _score(model, task, inputs, history)
        on_epoch(epoch, history)
        if _is_over(training, history):
            break
    return history


def evaluate(
    model: Module, task: Task, inputs: Any, parts: Sequence[Tensor]
) -> list[tuple[float, dict[str, float]]]:
    """Loss and scores of a model on parts of a task, without dropout."""
    training = model.training
    model.eval()
    with torch.no_grad():
        outputs = _answers(model, task, inputs, parts)
    model.train(training)
    return [
        _judged(task, output, task.target[part])
        for output, part in zip(outputs, parts, strict=True)
    ]


def _judged(
    task: Task, output: Tensor, target: Tensor
) -> tuple[float, dict[str, float]]:
    scores = {name: METRICS[name](output, target) for name in task.metrics}
    return float(_LOSSES[task.loss](output, target)), scores


def _epoch(
    model: Module,
    task: Task,
    inputs: Any,
    training: Training,
    optimizer: torch.optim.Optimizer,
    order: torch.Generator,
) -> float:
    """One pass over the training part; the mean loss of its steps."""
    total = 0.0
    for rows in _batches(task, training.batch, order):
        optimizer.zero_grad()
        (output,) = _answers(model, task, inputs, [rows])
        loss = _LOSSES[task.loss](output, task.target[rows])
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * len(rows)
    return total / max(len(task.train), 1)


def _batches(task: Task, batch: int | None, order: torch.Generator) -> Iterator[Tensor]:
    if batch is None or task.unit == "node":
        yield task.train
        return
    shuffled = task.train[torch.randperm(len(task.train), generator=order)]
    yield from shuffled.split(batch)


def _answers(
    model: Module, task: Task, inputs: Any, parts: Sequence[Tensor]
) -> list[Tensor]:
    """What the model says of each part; all nodes of a signal are answered at once."""
    if task.unit == "node":
        output: Tensor = model(inputs, task.graph)
        return [output[rows] for rows in parts]
    return [model(inputs[rows], task.graph) for rows in parts]


def _score(model: Module, task: Task, inputs: Any, history: History) -> None:
    parts = [task.test, task.valid] if len(task.valid) else [task.test]
    (_, scores), *on_valid = evaluate(model, task, inputs, parts)
    for name, value in scores.items():
        history.test.setdefault(name, []).append(value)
    for loss, scores in on_valid:
        history.valid_loss.append(loss)
        for name, value in scores.items():
            history.valid.setdefault(name, []).append(value)
    if on_valid and history.best == len(history.valid_loss) - 1:
        history.best_state = copy.deepcopy(model.state_dict())


def _rate(training: Training, epoch: int) -> float:
    if training.schedule == "cosine":
        turn = math.pi * epoch / training.epochs
        return training.learning_rate * (1 + math.cos(turn)) / 2
    if training.schedule == "halving":
        return training.learning_rate * 0.5 ** (epoch // _HALVE_EVERY)
    return training.learning_rate


def _is_over(training: Training, history: History) -> bool:
    if training.patience is None or history.best is None:
        return False
    return len(history.valid_loss) - 1 - history.best >= training.patience
