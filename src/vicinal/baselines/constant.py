"""The same answer whatever the input."""

import torch
from torch import Tensor

__all__ = ["majority", "mean_target"]


def majority(
    labels: Tensor,  # shape: (n,)
    count: int,
    num_classes: int,
) -> Tensor:  # shape: (count, C)
    r"""Shares of the classes in training: the largest is chosen every time.

    .. math:: \text{logit}_c = \tfrac{1}{n} \, |\{m : y_m = c\}|

    Example:
        >>> majority(torch.tensor([0, 1, 1]), count=2, num_classes=2).argmax(1)
        tensor([1, 1])
    """
    shares = torch.bincount(labels, minlength=num_classes) / len(labels)
    return shares.to(torch.get_default_dtype()).expand(count, -1)


def mean_target(
    target: Tensor,  # shape: (n, ...)
    count: int,
) -> Tensor:  # shape: (count, ...)
    r"""The mean of all training targets, :math:`\hat y = \bar y`.

    Example:
        >>> mean_target(torch.tensor([[1.0], [3.0]]), count=1)
        tensor([[2.]])
    """
    return target.mean(0).expand(count, *target.shape[1:])
