"""Baselines that are not trained by gradient steps over epochs."""

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.nn.functional import one_hot

from vicinal import baselines
from vicinal.datasets import source_localization
from vicinal.datasets.corruption import rms
from vicinal.datasets.task import Task
from vicinal.experiments import stylometry
from vicinal.experiments.cell import Cell
from vicinal.experiments.combinations import require_combination
from vicinal.experiments.rating_answers import Answers
from vicinal.experiments.rating_estimators import RATING_ESTIMATORS
from vicinal.metrics import METRICS, mse

__all__ = ["ESTIMATORS", "estimate"]

_PENALTIES = (1e-6, 1e-4, 1e-2)


def estimate(cell: Cell, task: Task) -> dict[str, Any]:
    """Score what a baseline says of the test part."""
    answered = ESTIMATORS[cell.model.model](cell, task)
    fitted: dict[str, Any] = {"curves": {}, "parameters": {}, "hop_weights": []}
    if isinstance(answered, Answers):
        output, names = answered.output, (*fitted, "predict_seconds")
        fitted = {name: getattr(answered, name) for name in names}
    else:
        output = answered
    target = task.target[task.test]
    scores = {name: METRICS[name](output[task.test], target) for name in task.metrics}
    return {
        "scores": {
            name: {"last": score, "last_mean": score, "best": score}
            for name, score in scores.items()
        },
        **fitted,
        **_parts(task, output),
        **_network(cell, task),
    }


def _network(cell: Cell, task: Task) -> dict[str, Any]:
    """The network that relative entropy compares, on one split: for a picture."""
    if cell.model.model != "wan-entropy" or cell.seed != 0:
        return {}
    return {"network": stylometry.pictured(cell, task)}


def _parts(task: Task, output: Tensor) -> dict[str, dict[str, float]]:
    """Scores of parts of the test, if the task names any."""
    score = METRICS[task.metrics[0]]
    found = {name: score(output[rows], task.target[rows]) for name, rows in task.parts}
    return {"parts": found} if found else {}


def _signals(task: Task, x: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Training signals as rows, their targets, and test signals."""
    rows = (task.x if x is None else x).flatten(1)
    return rows[task.train], task.target[task.train], rows[task.test]


def _logistic_regression(cell: Cell, task: Task) -> Tensor:
    _require_classes(cell, task)
    logits = baselines.logistic_regression(*_signals(task), task.num_outputs)
    return task.for_test(logits)


def _nearest_neighbor(cell: Cell, task: Task) -> Tensor:
    _require_classes(cell, task)
    logits = baselines.nearest_neighbor(*_signals(task), task.num_outputs)
    return task.for_test(logits)


def _amplitude(cell: Cell, task: Task) -> Tensor:
    _require_classes(cell, task)
    signals = _signals(task)
    return task.for_test(baselines.amplitude(*signals, task.graph, task.num_outputs))


def _constant(cell: Cell, task: Task) -> Tensor:
    """The most frequent class, or the mean target."""
    seen, count = task.target[task.train], len(task.target)
    if task.loss == "cross_entropy":
        return baselines.majority(seen, count, task.num_outputs)
    return baselines.mean_target(seen, count)


def _median_filter(cell: Cell, task: Task) -> Tensor:
    """Medians alone; where classes are asked for, 1-NN of them."""
    medians = baselines.median_filter(task.x, task.graph)
    if task.per_node:
        return medians
    _require_classes(cell, task)
    signals = _signals(task, medians)
    return task.for_test(baselines.nearest_neighbor(*signals, task.num_outputs))


def _median_ridge(cell: Cell, task: Task) -> Tensor:
    """Ridge on values and medians: of each node, or of all at once for classes.

    The penalty is the one of the lowest squared error on the validation part.
    """
    if not len(task.valid):
        raise ValueError(
            "`samples` must hold validation signals for 'median-ridge', got 0; they "
            "choose its penalty"
        )
    hops = max(cell.model.hops, 1)
    x = baselines.median_features(task.x, task.graph, hops)  # (B, N, K + 1)
    if task.per_node:
        target = task.target
    else:
        _require_classes(cell, task)
        x, target = x.flatten(1), one_hot(task.target, task.num_outputs).to(x)
    rows, seen = _rows(x[task.train]), _rows(target[task.train])
    best = min(
        _PENALTIES,
        key=lambda penalty: mse(
            baselines.ridge(rows, seen, _rows(x[task.valid]), penalty),
            _rows(target[task.valid]),
        ),
    )
    return baselines.ridge(rows, seen, _rows(x), best).view_as(target)


def _rows(x: Tensor) -> Tensor:
    return x.flatten(0, -2)


def _bayes(cell: Cell, task: Task) -> Tensor:
    settings = cell.task
    require_combination(cell, "cell")
    assert isinstance(settings, source_localization.Settings)
    assert settings.noise != "heavy-tailed"
    drawn = source_localization.draw(settings, cell.seed)
    library = drawn.impulses[source_localization.test_times(settings)]
    x = source_localization.observed(drawn, settings, cell.seed)[task.test]
    sigma = rms(drawn.clean[task.train]) * 10 ** (-settings.snr / 20)
    return task.for_test(baselines.bayes(x, library, settings.noise, sigma))


def _require_classes(cell: Cell, task: Task) -> None:
    if task.loss != "cross_entropy" or task.unit != "signal":
        raise ValueError(
            f"`task` must ask for classes of signals for {cell.model.model!r}, got "
            f"{cell.name!r}"
        )


ESTIMATORS: dict[str, Callable[[Cell, Task], Tensor | Answers]] = {
    **RATING_ESTIMATORS,
    "amplitude": _amplitude,
    "bayes": _bayes,
    "burrows-delta": stylometry.burrows_delta,
    "constant": _constant,
    "cosine-delta": stylometry.cosine_delta,
    "linear-svm": stylometry.linear_svm,
    "logistic-regression": _logistic_regression,
    "median-filter": _median_filter,
    "median-ridge": _median_ridge,
    "nearest-neighbor": _nearest_neighbor,
    "wan-entropy": stylometry.wan_entropy,
    "word-logistic": stylometry.word_logistic,
}
