"""Baselines of stylometry on the excerpts of an attribution task."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from vicinal import baselines
from vicinal.datasets.attribution import Attribution
from vicinal.datasets.task import Task
from vicinal.datasets.wan import normalized
from vicinal.experiments.cell import Cell

__all__ = ["burrows_delta", "cosine_delta", "linear_svm", "pictured", "wan_entropy"]
__all__ += ["word_logistic"]

_PICTURED, _DIGITS = 40, 4  # words, digits of their weights


def word_logistic(cell: Cell, task: Task) -> Tensor:
    """Logistic regression on z-scored counts; five folds choose the penalty."""
    given = _attribution(cell, task)
    return given.for_test(_chosen(_logistic, *_parts(given)))


def linear_svm(cell: Cell, task: Task) -> Tensor:
    """A linear support vector machine on z-scored counts, its penalty likewise."""
    given = _attribution(cell, task)
    return given.for_test(_chosen(baselines.linear_svm, *_parts(given)))


def burrows_delta(cell: Cell, task: Task) -> Tensor:
    """The nearest author by Burrows's Delta."""
    given = _attribution(cell, task)
    x, _, new = _parts(given)
    found = baselines.burrows_delta(x, given.authors[given.train], new)
    return given.for_test(baselines.nearest_author(*found, _author(given)))


def cosine_delta(cell: Cell, task: Task) -> Tensor:
    """The nearer of two profiles by Cosine Delta: the author's, and all others'.

    Taking the nearest of all authors instead makes more errors here.
    """
    given = _attribution(cell, task)
    found = baselines.cosine_delta(*_parts(given))
    return given.for_test(baselines.nearest_author(*found, author=1))


def wan_entropy(cell: Cell, task: Task) -> Tensor:
    """The nearer of two profiles by relative entropy of word adjacency networks.

    Both are networks of equally many excerpts: the author's, and all others'.
    """
    given = _attribution(cell, task)
    labels = given.target[given.train]
    profiles = torch.stack(
        [_chain(given, given.train[labels == label]) for label in (0, 1)]
    )
    distance = torch.stack(
        [
            baselines.relative_entropy(_chain(given, excerpt[None]), profiles)
            for excerpt in given.test
        ]
    )
    return given.for_test(-distance)


def pictured(cell: Cell, task: Task) -> dict[str, Any]:
    """The author's network among the most frequent words, for a picture.

    Of training excerpts, as all of it.
    """
    given = _attribution(cell, task)
    own = given.train[given.target[given.train] == 1]
    total = given.counts[own].sum(0)
    most = total.argsort(descending=True, stable=True)[:_PICTURED].sort().values
    weights = _chain(given, own)[most][:, most]
    return {
        "words": [given.vocabulary[place] for place in most.tolist()],
        "weights": [[round(w, _DIGITS) for w in row] for row in weights.tolist()],
        "frequency": total[most].tolist(),
    }


def _logistic(x: Tensor, labels: Tensor, new: Tensor, strength: float) -> Tensor:
    return baselines.logistic_regression(x, labels, new, 2, strength)


def _chosen(
    fit: Callable[[Tensor, Tensor, Tensor, float], Tensor],
    x: Tensor,
    labels: Tensor,
    new: Tensor,
) -> Tensor:
    """Answers of a linear model whose penalty was chosen on the training part."""
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    strength = baselines.best_strength(fit, x[order], labels[order])
    return fit(x, labels, new, strength)


def _chain(task: Attribution, excerpts: Tensor) -> Tensor:
    """Transition probabilities between words in some excerpts."""
    return torch.from_numpy(normalized(task.pairs(excerpts)))


def _author(task: Attribution) -> int:
    return int(task.authors[task.target == 1][0])


def _parts(task: Attribution) -> tuple[Tensor, Tensor, Tensor]:
    """Counts of training, their classes, and counts of the test."""
    return task.counts[task.train], task.target[task.train], task.counts[task.test]


def _attribution(cell: Cell, task: Task) -> Attribution:
    if not isinstance(task, Attribution):
        raise ValueError(
            f"`task` must be 'authorship' for {cell.model.model!r}, which counts words "
            f"of texts, got {cell.name!r}"
        )
    return task
