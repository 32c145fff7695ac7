"""Experiments are TOML files: what is fixed, what varies, what the paper printed.

A ``[[grid]]`` block is a product of its lists (:mod:`vicinal.experiments.grid`);
several are a union. Each block may bring its own ``seeds``, a number of them or a list.
``[run]`` is common to all blocks; ``[quick]`` replaces settings, and ``seeds``, in the
quick form, but for what a block's own ``quick`` says; ``[base.NAME]``, ``[models]``
and ``[sets]`` are tables for blocks to name.
"""

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from vicinal.experiments.cell import Cell, known_settings, make_cell
from vicinal.experiments.grid import Block, Shared, expand
from vicinal.experiments.published import NUMBERS, numbers, require_published
from vicinal.experiments.settings import validated

__all__ = ["Experiment", "blocks", "distinct", "find", "load", "names", "printed"]
__all__ += ["seconds"]


class Experiment(BaseModel):
    """One TOML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    section: str = ""  # of the paper
    summary: str = ""
    order: int = 100  # place in lists and on the page
    # that a cell takes, roughly, on one core
    seconds: float = Field(10.0, gt=0, allow_inf_nan=False)
    seeds: Any  # a number of them, or a list; checked block by block
    run: dict[str, Any]
    base: dict[str, dict[str, Any]] = {}
    models: dict[str, dict[str, Any]] = {}
    sets: dict[str, list[str]] = {}  # of models
    grid: list[dict[str, Any]] = Field(min_length=1)
    quick: dict[str, Any] = {}
    decided: list[str] = []  # settings whose other values are held against [run]'s
    published: dict[str, Any] = {}
    name: str = ""
    _expanded: dict[bool, list[Block]] = PrivateAttr(default_factory=dict)


def names() -> list[str]:
    """The experiments that come with the library, in the order of their pages.

    Example:
        >>> "source-localization" in names()
        True
    """
    return sorted(_shipped(), key=lambda name: (find(name).order, name))


def find(name: str) -> Experiment:
    """An experiment by name, or by the path of a TOML file of your own."""
    if not name.endswith(".toml"):
        return _find(name)
    path = Path(name)
    if path.stem not in _shipped():
        return load(path)
    with resources.as_file(_FOLDER / path.name) as own:
        if path.exists() and own.samefile(path):
            return _find(path.stem)
    raise ValueError(
        f"`experiment` must have a name of its own, got {path}, but {path.stem!r} "
        "comes with the library; rename the file"
    )


@cache
def _find(name: str) -> Experiment:
    if name not in _shipped():
        raise ValueError(
            f"`experiment` must be one of {sorted(_shipped())} or the path of a "
            f".toml file, got {name!r}"
        )
    with resources.as_file(_FOLDER / f"{name}.toml") as path:
        return load(path)


def load(path: Path) -> Experiment:
    """Read one TOML file and check it."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(
            f"`experiment` must be readable, got {path}: {error.strerror}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"`experiment` must be TOML, got {path}: {error}") from None
    if "name" in given:
        raise ValueError(f"{path.name}: `name` must be the file's, got one in it")
    read: Experiment = validated(Experiment, given | {"name": path.stem}, path.name)
    _require_whole(read)
    require_published(read.published, f"{read.name}.toml, published")
    for quick in (False, True):  # a wrong cell is told now
        made = blocks(read, quick)
        for named in (read.decided, *read.models.values(), *read.base.values()):
            _require_known(named, made, read.name)
        for kind in NUMBERS:
            printed(read, quick, kind)
    return read


def _require_whole(read: Experiment) -> None:
    """Sets name models that are there; blocks hold tables and switches."""
    for name, listed in read.sets.items():
        if unknown := sorted(set(listed) - set(read.models)):
            raise ValueError(
                f"{read.name}.toml: `sets.{name}` must name models, one of "
                f"{sorted(read.models)}, got {unknown[0]!r}"
            )
    for number, grid in enumerate(read.grid):
        where = f"{read.name}.toml, grid {grid.get('name', number)!r}"
        if not isinstance(grid.get("quick", {}), dict):
            raise ValueError(f"{where}: `quick` must be a table, got {grid['quick']!r}")
        if not isinstance(grid.get("full_only", False), bool):
            got = grid["full_only"]
            raise ValueError(f"{where}: `full_only` must be true or false, got {got!r}")
        again = read.quick.keys() & grid.get("quick", {}).keys() - {"seeds"}
        if again and read.published:
            raise ValueError(
                f"{where}: `quick` must set other names than [quick] in a file with "
                f"[published], got {sorted(again)[0]!r} in both"
            )


def blocks(
    experiment: Experiment, quick: bool = False, changes: dict[str, Any] | None = None
) -> list[Block]:
    """All cells of an experiment, block by block; kept, for a report asks often.

    Args:
        experiment: The experiment.
        quick: Take the quick form.
        changes: Settings that replace those of the file (``--set``), in the blocks
            whose task has them.
    """
    if changes:
        return _made(experiment, quick, changes)
    kept = experiment._expanded
    if quick not in kept:
        kept[quick] = _made(experiment, quick, {})
    return list(kept[quick])


def _made(experiment: Experiment, quick: bool, changes: dict[str, Any]) -> list[Block]:
    shared = Shared(
        experiment.name,
        experiment.run,
        experiment.seeds,
        experiment.base,
        experiment.models,
        experiment.sets,
    )
    usual = experiment.quick if quick else {}
    own = [grid.get("quick", {}) if quick else {} for grid in experiment.grid]
    grids = [
        (number, grid | own[number])
        for number, grid in enumerate(experiment.grid)
        if not (quick and grid.get("full_only"))
    ]
    if not grids:
        raise ValueError(
            f"{shared.file}.toml: `full_only` must leave a block for the quick form, "
            "got none"
        )
    try:
        made = [
            expand(grid, number, shared, _without(usual, own[number]) | changes)
            for number, grid in grids
        ]
        replaced = usual.keys() | changes.keys()
        _require_known(replaced - {"seeds"}, made, shared.file)
    except ValueError as error:
        if not changes:
            raise
        raise ValueError(f"`--set` must fit the study: {error}") from None
    _require_one_kind(made, shared)
    return made


def _without(settings: dict[str, Any], others: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in others}


def _require_one_kind(made: Sequence[Block], shared: Shared) -> None:
    first: dict[str, Block] = {}
    named = [block.name for block in made]
    if twice := [name for name in named if named.count(name) > 1]:
        raise ValueError(
            f"{shared.file}.toml: `name` must be another one for each grid, got "
            f"{twice[0]!r} twice"
        )
    for block in made:
        other = first.setdefault(block.section, block)
        if other.shows != block.shows:
            raise ValueError(
                f"{shared.file}.toml, grid {block.name!r}: `shows` must be that of "
                f"{other.name!r}, whose table it shares, {other.shows!r}, "
                f"got {block.shows!r}"
            )


def _require_known(given: Iterable[str], made: Sequence[Block], file: str) -> None:
    tasks = sorted({cell.name for block in made for cell in block.cells})
    known: set[str] = set().union(*map(known_settings, tasks))
    if unknown := sorted(set(given) - known):
        raise ValueError(
            f"{file}.toml: `{unknown[0]}` must be a setting of {tasks}, "
            f"one of {sorted(known)}, got an unknown one"
        )


def printed(
    experiment: Experiment, quick: bool = False, kind: str = "rows"
) -> dict[str, float]:
    """What the paper printed, by configuration.

    ``rows`` of ``[published]`` hold a ``value`` each, and what they set over ``[run]``;
    so do ``best_runs``, whose values are the best of several runs, and ``facts`` of the
    data.

    Args:
        experiment: The experiment.
        quick: Of the quick form, whose configurations are others.
        kind: Which of the three.
    """
    where = f"{experiment.name}.toml, published"
    changes = {k: v for k, v in experiment.quick.items() if k != "seeds"}
    found = {}
    for entry in numbers(experiment.published, kind, where):
        own = {k: v for k, v in entry.items() if k not in ("value", "note", "fact")}
        flat = experiment.run | own | (changes if quick else {})
        found[make_cell(flat, 0, where).config_hash] = float(entry["value"])
    return found


def distinct(
    experiment: Experiment, quick: bool = False, changes: dict[str, Any] | None = None
) -> list[Cell]:
    """The cells of all blocks, each once; arguments as in :func:`blocks`."""
    found = blocks(experiment, quick, changes)
    cells = {(c.config_hash, c.seed): c for block in found for c in block.cells}
    return list(cells.values())


def seconds(experiment: Experiment, cells: Sequence[Cell]) -> float:
    """About how long cells take on one core; shorter training in proportion."""
    usual = [_work(cell) for cell in distinct(experiment, changes={"seeds": 1})]
    return experiment.seconds * sum(map(_work, cells)) * len(usual) / sum(usual)


def _work(cell: Cell) -> int:
    """How many signals training passes over, where their number is set."""
    signals, *_ = getattr(cell.task, "samples", (1,))
    return cell.training.epochs * int(signals)


_FOLDER = resources.files("vicinal.experiments") / "paper"


def _shipped() -> set[str]:
    files = (file.name for file in _FOLDER.iterdir())
    return {name.removesuffix(".toml") for name in files if name.endswith(".toml")}
