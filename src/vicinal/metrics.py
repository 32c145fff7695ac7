"""Scores: what a network said and what is true in, one number out."""

import math
from collections.abc import Callable

from torch import Tensor

__all__ = ["METRICS", "accuracy", "error", "higher_is_better", "mse", "rmse"]
__all__ += ["rmse_argmax", "rmse_clipped", "rmse_expected"]

_STARS = (1.0, 5.0)  # the fewest and the most


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


def rmse_argmax(output: Tensor, target: Tensor) -> float:
    """Root mean squared difference of the likeliest class and the right one.

    Example:
        >>> import torch
        >>> rmse_argmax(torch.tensor([[0.0, 0.0, 1.0]]), torch.tensor([0]))
        2.0
    """
    return rmse(output.argmax(-1), target)


def rmse_expected(output: Tensor, target: Tensor) -> float:
    r"""Root mean squared difference of the expected class and the right one.

    .. math:: \hat y = \sum_c c \, \mathrm{softmax}(z)_c

    Example:
        >>> import torch
        >>> rmse_expected(torch.tensor([[0.0, 0.0, 0.0]]), torch.tensor([0]))
        1.0
    """
    shares = output.double().softmax(-1)
    classes = shares.new_tensor(range(shares.size(-1)))
    return rmse(shares @ classes, target)


def rmse_clipped(output: Tensor, target: Tensor) -> float:
    """Root mean squared difference of ratings, answers clipped to 1..5 stars.

    Example:
        >>> import torch
        >>> rmse_clipped(torch.tensor([[7.0], [3.0]]), torch.tensor([[5.0], [3.0]]))
        0.0
    """
    return rmse(output.clamp(*_STARS), target)


_ALL = (accuracy, error, mse, rmse, rmse_argmax, rmse_clipped, rmse_expected)
METRICS: dict[str, Callable[[Tensor, Tensor], float]] = {
    metric.__name__: metric for metric in _ALL
}


def higher_is_better(metric: str) -> bool:
    """Whether a larger score is the better one.

    Example:
        >>> higher_is_better("accuracy"), higher_is_better("rmse")
        (True, False)
    """
    return metric == "accuracy"
