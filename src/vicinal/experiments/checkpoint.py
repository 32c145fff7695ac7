"""Trained parameters as safetensors with JSON beside them; never pickle."""

import json
import tempfile
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch.nn import Module

from vicinal.experiments.cell import Cell
from vicinal.training import History

__all__ = ["load", "save"]

_FORMAT = 1


def save(folder: Path, cell: Cell, model: Module, history: History) -> Path:
    """Write last and best parameters of a cell into a folder of its own.

    The folder appears whole or not at all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{cell.config_hash}-{cell.seed}"
    with tempfile.TemporaryDirectory(prefix=".writing-", dir=folder) as aside:
        new = Path(aside) / "new"
        new.mkdir()
        _write(new, cell, model, history)
        if place.exists():
            place.replace(Path(aside) / "old")
        new.replace(place)
    return place


def _write(folder: Path, cell: Cell, model: Module, history: History) -> None:
    save_file(model.state_dict(), folder / "last.safetensors")
    if history.best_state is not None:
        save_file(history.best_state, folder / "best.safetensors")
    facts = {
        "format": _FORMAT,
        "settings": cell.changed,
        "seed": cell.seed,
        "best_epoch": history.best,
    }
    (folder / "cell.json").write_text(json.dumps(facts, indent=2))


def load(place: Path, model: Module, which: str = "last") -> dict[str, Any]:
    """Put saved parameters into a model of the same shape; return the JSON beside."""
    facts: dict[str, Any] = json.loads((place / "cell.json").read_text())
    if facts.get("format") != _FORMAT:
        raise ValueError(
            f"`place` must hold a checkpoint of format {_FORMAT}, "
            f"got {facts.get('format')!r} in {place}"
        )
    model.load_state_dict(load_file(place / f"{which}.safetensors"))
    return facts
