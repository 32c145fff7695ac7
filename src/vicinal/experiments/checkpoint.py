"""Trained parameters as safetensors with JSON beside them; never pickle."""

import json
import tempfile
from pathlib import Path
from typing import Any, Literal, get_args

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch.nn import Module

from vicinal.experiments.cell import Cell
from vicinal.training import History

__all__ = ["load", "save"]

Which = Literal["last", "best"]

_FORMAT = 1
_BROKEN = (ValueError, AttributeError, SafetensorError)


def save(folder: Path, cell: Cell, model: Module, history: History) -> Path:
    """Write last and best parameters of a cell into a folder of its own.

    The folder appears whole or not at all; while an older one is replaced there is a
    moment with neither.
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


def load(place: Path, model: Module, which: Which = "last") -> dict[str, Any]:
    """Put saved parameters into a model of the same shape; return the JSON beside.

    Args:
        place: Folder of one cell, as :func:`save` returns it.
        model: Changed in place.
        which: Of the last epoch, or of the best one on validation data.
    """
    if which not in get_args(Which):
        raise ValueError(f"`which` must be 'last' or 'best', got {which!r}")
    described, parameters = (
        _part(place, "cell.json"),
        _part(place, f"{which}.safetensors"),
    )
    try:
        facts: dict[str, Any] = json.loads(described.read_text())
        given = facts.get("format")
        found = load_file(parameters)
    except _BROKEN as error:
        raise ValueError(
            f"`place` must hold a whole checkpoint, got {place}: {error}"
        ) from None
    if given != _FORMAT:
        raise ValueError(
            f"`place` must hold a checkpoint of format {_FORMAT}, got {given!r} in "
            f"{place}"
        )
    try:
        model.load_state_dict(found)
    except RuntimeError as error:
        told = " ".join(str(error).split())
        raise ValueError(
            f"`model` must be of the checkpoint's shape, got another in {place}: {told}"
        ) from None
    return facts


def _part(place: Path, name: str) -> Path:
    if not (place / name).is_file():
        raise ValueError(
            f"`place` must hold {name}, as a run with `--checkpoints` writes it, got "
            f"none in {place}"
        )
    return place / name
