"""Linear models: logistic regression, SVM (at most 500 steps), ridge."""

import warnings
from collections.abc import Callable
from typing import Any

import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits
from torch import Tensor

__all__ = ["STRENGTHS", "best_strength", "linear_svm", "logistic_regression", "ridge"]

STRENGTHS = (0.0001, 0.001, 0.01, 0.1, 1.0)

_MOST_STEPS, _FOLDS = 500, 5


def logistic_regression(
    x: Tensor,  # shape: (n, D)
    labels: Tensor,  # shape: (n,)
    new: Tensor,  # shape: (m, D)
    num_classes: int,
    strength: float = 1e4,
) -> Tensor:  # shape: (m, C)
    r"""Logits of logistic regression on standardised inputs, fitted by L-BFGS.

    .. math:: \min_{W, b} \; \tfrac{1}{2} \|W\|^2
        - c \sum_m \log \operatorname{softmax}(W x_m + b)_{y_m}

    Of two classes the first one's row of W, and its b, are zero.

    Args:
        x: Training inputs.
        labels: Their classes.
        new: Inputs to be classified.
        num_classes: Number C of classes; one that is not in ``labels`` is never chosen.
        strength: c, how much the data count against the penalty.

    Example:
        >>> x, labels = torch.tensor([[-2.0], [-1.0], [1.0]]), torch.tensor([0, 0, 1])
        >>> logistic_regression(x, labels, torch.tensor([[3.0]]), 2).argmax(1)
        tensor([1])
    """
    model = LogisticRegression(C=strength, max_iter=_MOST_STEPS)
    known = _scores(model, x, labels, new)
    if known.dim() == 1:  # of the second of two classes
        known = torch.stack([torch.zeros_like(known), known], 1)
    logits = known.new_full((len(new), num_classes), -torch.inf)
    logits[:, torch.from_numpy(model.classes_)] = known
    return logits.to(x.dtype)


def best_strength(
    fit: Callable[[Tensor, Tensor, Tensor, float], Tensor],
    x: Tensor,  # shape: (n, D)
    labels: Tensor,  # shape: (n,)
) -> float:
    """The one of ``STRENGTHS`` with the fewest errors over five folds of training data.

    Of equally good ones the smallest is taken, that is the strongest penalty. Sample m
    is in fold m modulo 5.

    Args:
        fit: Training inputs, classes, new inputs and a strength to logits.
        x: Training inputs.
        labels: Their classes.
    """
    fold = torch.arange(len(x)) % _FOLDS

    def wrong(strength: float) -> int:
        total = 0
        for left_out in range(_FOLDS):
            seen, asked = fold != left_out, fold == left_out
            logits = fit(x[seen], labels[seen], x[asked], strength)
            total += int((logits.argmax(1) != labels[asked]).sum())
        return total

    return min(STRENGTHS, key=wrong)


def linear_svm(
    x: Tensor,  # shape: (n, D)
    labels: Tensor,  # shape: (n,), 0 or 1
    new: Tensor,  # shape: (m, D)
    strength: float = 0.01,
) -> Tensor:  # shape: (m, 2)
    r"""Logits of a linear support vector machine of two classes.

    .. math:: \min_{w, b} \; \tfrac{1}{2} (\|w\|^2 + b^2)
        + c \sum_m \max\bigl(0, 1 - s_m (w^T x_m + b)\bigr)^2

    on standardised inputs, with :math:`s_m = 2 y_m - 1`.

    Args:
        x: Training inputs.
        labels: Their classes.
        new: Inputs to be classified.
        strength: c, how much the data count against the penalty.

    Example:
        >>> x, labels = torch.tensor([[-2.0], [-1.0], [1.0]]), torch.tensor([0, 0, 1])
        >>> linear_svm(x, labels, torch.tensor([[3.0], [-3.0]])).argmax(1)
        tensor([1, 0])
    """
    model = LinearSVC(C=strength, dual=False, max_iter=_MOST_STEPS)
    side = _scores(model, x, labels, new)
    return torch.stack([-side, side], 1).to(x.dtype)


def _scores(model: Any, x: Tensor, labels: Tensor, new: Tensor) -> Tensor:
    """Fit to standardised inputs on one thread; the decision function of new ones."""
    scaler = StandardScaler().fit(x.double().numpy())
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(scaler.transform(x.double().numpy()), labels.numpy())
        found = model.decision_function(scaler.transform(new.double().numpy()))
    return torch.from_numpy(found)


def ridge(
    x: Tensor,  # shape: (n, D)
    target: Tensor,  # shape: (n, C)
    new: Tensor,  # shape: (m, D)
    penalty: float = 1e-3,
) -> Tensor:  # shape: (m, C)
    r"""Linear regression with a penalty, in closed form.

    .. math:: \hat W = \bigl(\bar X^T \bar X + \lambda n s^2 I\bigr)^{-1}
        \bar X^T \bar Y, \qquad \hat y = \bar y + (x - \bar x) \hat W

    with centred data and :math:`s^2` the mean variance of the inputs, so that
    :math:`\lambda` has no unit.

    Example:
        >>> x = torch.tensor([[0.0], [1.0], [2.0]])
        >>> ridge(x, 2 * x + 1, torch.tensor([[3.0]]), penalty=0.0)
        tensor([[7.]])
    """
    inputs, answers = x.double(), target.double()
    center, level = inputs.mean(0), answers.mean(0)
    inputs = inputs - center
    gram = inputs.T @ inputs  # (D, D)
    gram.diagonal().add_(penalty * gram.diagonal().mean())
    weight: Tensor = torch.linalg.lstsq(gram, inputs.T @ (answers - level)).solution
    return (level + (new.double() - center) @ weight).to(target.dtype)
