"""One cell: load, build, train, score; the same row for the same cell, anywhere."""

import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch.nn import Module

from vicinal import __version__, datasets, kernels
from vicinal.datasets.task import Task
from vicinal.experiments import checkpoint, estimators, models, tracking
from vicinal.experiments.cell import RESULTS_VERSION, Cell
from vicinal.experiments.row import LAST, Row, rounded_curves
from vicinal.training import History, Training, fit

__all__ = ["run_cell", "training_of"]

_REPEATS = 10  # predictions whose mean time is kept


def run_cell(
    cell: Cell,
    folder: Path | None = None,
    logs: Path | None = None,
    checkpoints: Path | None = None,
) -> Row:
    """Run one cell on one torch thread, in its precision.

    Args:
        cell: What to run.
        folder: Where data lies; the usual places if not given.
        logs: Folder for TensorBoard.
        checkpoints: Folder for trained parameters.
    """
    with _one_thread(cell.training.precision):
        return _row(cell, folder, logs, checkpoints)


def _row(
    cell: Cell, folder: Path | None, logs: Path | None, checkpoints: Path | None
) -> Row:
    started = time.perf_counter()
    task = datasets.TASKS[cell.name].load(cell.task, cell.seed, folder)
    loaded = time.perf_counter()
    if cell.model.model in estimators.ESTIMATORS:
        result = estimators.estimate(cell, task)
    else:
        result = _trained(cell, task, logs, checkpoints)
    result |= {
        "seconds": round(time.perf_counter() - loaded, 3),
        "load_seconds": round(loaded - started, 3),
        "data_facts": dict(task.facts),
        **_circumstances(),
    }
    key = (cell.config_hash, cell.seed, task.checksum, RESULTS_VERSION)
    return Row(*key, cell.changed, result)


@contextmanager
def _one_thread(precision: str) -> Iterator[None]:
    """Let torch compute so, and as before afterwards."""
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    torch.set_num_threads(1)
    torch.set_default_dtype(getattr(torch, precision))
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.set_default_dtype(dtype)


def _trained(
    cell: Cell, task: Task, logs: Path | None, checkpoints: Path | None
) -> dict[str, Any]:
    torch.manual_seed(cell.seed)
    model = models.build(cell.model, task)
    inputs = models.fixed_inputs(model, task)
    with tracking.logger(logs, cell) as log:
        history = fit(model, task, inputs, training_of(cell), cell.seed, log)
    if checkpoints is not None:
        checkpoint.save(checkpoints, cell, model, history)
    return {
        "scores": {name: _scores(history, name) for name in task.metrics},
        "curves": _curves(history),
        "parameters": models.parameter_counts(model),
        "hop_weights": models.hop_weights(model),
        **_prediction(model, task),
    }


def _prediction(model: Module, task: Task) -> dict[str, float]:
    """Seconds to answer one signal, raw signal in; the mean of a few, after a first."""
    if task.unit != "signal":
        return {}
    model.eval()
    with torch.no_grad():
        model(task.x[:1], task.graph)  # what a graph keeps is made once
        started = time.perf_counter()
        for _ in range(_REPEATS):
            model(task.x[:1], task.graph)
    return {"predict_seconds": (time.perf_counter() - started) / _REPEATS}


def training_of(cell: Cell) -> Training:
    """How a cell is trained, as the trainer takes it."""
    given = cell.training
    return Training(
        epochs=given.epochs,
        batch=given.batch or None,
        learning_rate=given.learning_rate,
        weight_decay=given.weight_decay,
        schedule=given.schedule,
        patience=given.patience or None,
    )


def _scores(history: History, metric: str) -> dict[str, float]:
    """Test scores: of the last epoch, of the last few, of the best on validation."""
    curve = history.test[metric]
    scores = {"last": curve[-1], "last_mean": fmean(curve[-LAST:])}
    if history.best is not None:
        scores["best"] = curve[history.best]
    return scores


def _curves(history: History) -> dict[str, list[float]]:
    curves = {"train_loss": history.train_loss, "valid_loss": history.valid_loss}
    curves |= {f"test_{name}": curve for name, curve in history.test.items()}
    curves |= {f"valid_{name}": curve for name, curve in history.valid.items()}
    return rounded_curves(curves)


def _circumstances() -> dict[str, Any]:
    return {
        "library": __version__,
        "torch": torch.__version__,
        "kernels": kernels.active_path(),
        "machine": f"{platform.machine()} {os.cpu_count()} cores {_processor()}, "
        f"{torch.backends.cpu.get_cpu_capability()}",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    models_ = (line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    return next(models_, platform.processor())
