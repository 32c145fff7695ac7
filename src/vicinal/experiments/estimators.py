"""Baselines that are not trained by gradient steps over epochs."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from vicinal.datasets.task import Task
from vicinal.experiments.cell import Cell
from vicinal.metrics import METRICS

__all__ = ["ESTIMATORS", "estimate"]

ESTIMATORS: dict[str, Callable[[Cell, Task], Tensor]] = {}


def estimate(cell: Cell, task: Task) -> dict[str, Any]:
    """Score what a baseline says of the test part."""
    output = ESTIMATORS[cell.model.model](cell, task)
    target = task.target[task.test]
    scores = {name: METRICS[name](output[task.test], target) for name in task.metrics}
    return {
        "scores": {
            name: {"last": score, "last_mean": score, "best": score}
            for name, score in scores.items()
        },
        "curves": {},
        "parameters": {},
        "hop_weights": [],
    }
