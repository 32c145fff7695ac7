"""Cell: one training run, named by what it sets; a pure function of it and its seed."""

import json
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from vicinal import datasets
from vicinal.experiments.row import settings_hash
from vicinal.experiments.settings import ModelSettings, TrainingSettings, validated

__all__ = ["RESULTS_VERSION", "Cell", "known_settings", "make_cell"]

RESULTS_VERSION = 2  # raise it whenever the same settings would give other results


@dataclass(frozen=True)
class Cell:
    """Checked settings of one run, and its seed."""

    name: str  # of the task
    task: BaseModel
    model: ModelSettings
    training: TrainingSettings
    seed: int

    @property
    def settings(self) -> dict[str, Any]:
        """All that is set, in one flat dictionary; defaults too."""
        parts = (self.task, self.model, self.training)
        flat = {"task": self.name}
        for part in parts:
            flat |= part.model_dump(mode="json")
        return flat

    @property
    def changed(self) -> dict[str, Any]:
        """What is set otherwise than by default, the identity of a configuration.

        A setting that is added later, with a default that keeps what was, leaves the
        identity of earlier results alone.
        """
        flat = {"task": self.name}
        for part in (self.task, self.model, self.training):
            flat |= part.model_dump(mode="json", exclude_defaults=True)
        return flat

    @property
    def config_hash(self) -> str:
        """SHA-256 of what is set, 16 digits."""
        return settings_hash(self.changed)

    @property
    def label(self) -> str:
        """What is set, for people."""
        network = self.model.model == "gnn"
        told = {"activation": self.model.activation} if network else {}
        changed = told | {k: v for k, v in self.changed.items() if k != "task"}
        parts = [f"{name}={_plain(value)}" for name, value in changed.items()]
        return f"{self.name} seed {self.seed}: {' '.join(parts)}"


def make_cell(flat: dict[str, Any], seed: int, where: str) -> Cell:
    """Check a flat dictionary of settings and sort it into its parts.

    Args:
        flat: Settings by name; ``task`` says whose settings belong to it.
        seed: Of all randomness.
        where: File and block, for the sentence about what is wrong.

    Example:
        >>> cell = make_cell({"task": "source-localization", "hops": 0}, 3, "here")
        >>> cell.seed, cell.model.activation
        (3, 'relu')
    """
    name = flat.get("task")
    if not isinstance(name, str) or name not in datasets.TASKS:
        raise ValueError(
            f"{where}: `task` must be one of {sorted(datasets.TASKS)}, got {name!r}"
        )
    known = known_settings(name)
    if unknown := sorted(set(flat) - known):
        raise ValueError(
            f"{where}: `{unknown[0]}` must be a setting of {name!r}, "
            f"one of {sorted(known - {'task'})}, got an unknown one"
        )
    task, model, training = (
        validated(kind, {k: flat[k] for k in flat if k in kind.model_fields}, where)
        for kind in _kinds(name)
    )
    return Cell(name, task, model, training, seed)


def known_settings(name: str) -> set[str]:
    """What a cell of a task may set; nothing if there is no such task.

    Example:
        >>> sorted(known_settings("citations") & {"task", "hops", "share"})
        ['hops', 'task']
    """
    if name not in datasets.TASKS:
        return set()
    return {"task"}.union(*(kind.model_fields for kind in _kinds(name)))


def _kinds(name: str) -> tuple[type[BaseModel], ...]:
    return datasets.TASKS[name].settings, ModelSettings, TrainingSettings


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
