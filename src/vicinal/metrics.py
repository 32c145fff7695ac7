"""Scores: what a network said and what is true in, one number out."""

import math
from collections.abc import Callable

from torch import Tensor

__all__ = ["METRICS", "accuracy", "error", "higher_is_better", "mse", "rmse"]


def accuracy(output: Tensor, target: Tensor) -> float:
    """Share of answers whose largest logit is the right class.

    Example:
        >>> import torch
        >>> accuracy(torch.tensor([[2.0, 1.0], [0.0, 1.0]]), torch.tensor([0, 0]))
        0.5
    """
    return float((output.argmax(-1) == target).double().mean())


def error(output: Tensor, target: Tensor) -> float:
    """Share of answers whose largest logit is a wrong class.

    Example:
        >>> import torch
        >>> error(torch.tensor([[2.0, 1.0], [0.0, 1.0]]), torch.tensor([0, 0]))
        0.5
    """
    return 1.0 - accuracy(output, target)


def mse(output: Tensor, target: Tensor) -> float:
    """Mean squared difference.

    Example:
        >>> import torch
        >>> mse(torch.tensor([[1.0], [3.0]]), torch.tensor([[1.0], [1.0]]))
        2.0
    """
    return float((output - target).double().square().mean())


def rmse(output: Tensor, target: Tensor) -> float:
    """Root of the mean squared difference.

    Example:
        >>> import torch
        >>> rmse(torch.tensor([[1.0], [3.0]]), torch.tensor([[3.0], [1.0]]))
        2.0
    """
    return math.sqrt(mse(output, target))


METRICS: dict[str, Callable[[Tensor, Tensor], float]] = {
    metric.__name__: metric for metric in (accuracy, error, mse, rmse)
}


def higher_is_better(metric: str) -> bool:
    """Whether a larger score is the better one.

    Example:
        >>> higher_is_better("accuracy"), higher_is_better("rmse")
        (True, False)
    """
    return metric == "accuracy"
