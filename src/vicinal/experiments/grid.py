"""Grids: one block of an experiment to its cells.

A block is a product of its lists. ``base`` names a table of settings that several
blocks share; ``models`` lists named models, or names a list of ``[sets]``; all of these
are tables of the same file. ``quick`` replaces keys of the block in the quick form,
``full_only`` leaves the block out of it. ``shows`` says what the page makes of it.
"""

import itertools
from dataclasses import dataclass
from typing import Any, Literal, get_args

from vicinal.experiments.cell import Cell, known_settings, make_cell
from vicinal.experiments.combinations import require_combination

__all__ = ["Block", "Shared", "Shows", "expand"]

Shows = Literal["scores", "losses", "losses only", "tuned"]
_MOST_SEEDS = 100_000
_SHOWS: tuple[Shows, ...] = get_args(Shows)

_RESERVED = ("name", "seeds", "full_only", "base", "models", "quick", "shows")


@dataclass(frozen=True)
class Block:
    """One block of an experiment: its name, the names that vary in it, its cells."""

    name: str
    varies: tuple[str, ...]
    cells: tuple[Cell, ...]
    shows: Shows = "scores"

    @property
    def section(self) -> str:
        """Blocks whose names agree up to a colon stand in one table."""
        return self.name.split(":")[0].strip()


@dataclass(frozen=True)
class Shared:
    """What the blocks of a file share: settings, seeds, and tables they may name."""

    file: str
    run: dict[str, Any]
    seeds: Any
    base: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    sets: dict[str, list[str]]


def expand(
    grid: dict[str, Any], number: int, shared: Shared, changes: dict[str, Any]
) -> Block:
    """The cells of one block, seed by seed, each once.

    Args:
        grid: The block as it stands in the file.
        number: Its place, for a block without a name.
        shared: What it shares with the others.
        changes: Settings, and seeds, that replace its own where it has them.

    Example:
        >>> shared = Shared("s", {"task": "source-localization"}, 2, {}, {}, {})
        >>> block = expand({"activation": "max", "hops": [1, 2]}, 0, shared, {})
        >>> [(cell.model.hops, cell.seed) for cell in block.cells]
        [(1, 0), (2, 0), (1, 1), (2, 1)]
    """
    name = str(grid.get("name", number))
    where = f"{shared.file}.toml, grid {name!r}"
    common = shared.run | _named("base", [grid.get("base")], shared.base, where)[0]
    listed = grid.get("models", [None])
    listed = shared.sets.get(listed, listed) if isinstance(listed, str) else listed
    models = _named("models", listed, shared.models, where)
    axes = _axes(grid, where)
    fixed = {key: value for key, value in changes.items() if key != "seeds"}
    points = [
        _changed(common | model | dict(zip(axes, point, strict=True)), fixed)
        for point in itertools.product(*axes.values())
        for model in models
    ]
    seeds = _seeds(changes.get("seeds", grid.get("seeds", shared.seeds)), where)
    cells = [make_cell(point, seed, where) for seed in seeds for point in points]
    for cell in cells:
        require_combination(cell, where)
    distinct = {(cell.config_hash, cell.seed): cell for cell in cells}
    varies, shows = _varies(cells, axes), _shows(grid.get("shows", "scores"), where)
    return Block(name, varies, tuple(distinct.values()), shows)


def _shows(given: Any, where: str) -> Shows:
    for known in _SHOWS:
        if given == known:
            return known
    raise ValueError(f"{where}: `shows` must be one of {list(_SHOWS)}, got {given!r}")


def _changed(point: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A point after the changes that its task knows."""
    known = known_settings(str(changes.get("task", point.get("task"))))
    return point | {key: value for key, value in changes.items() if key in known}


def _axes(grid: dict[str, Any], where: str) -> dict[str, list[Any]]:
    axes = {
        key: value if isinstance(value, list) else [value]
        for key, value in grid.items()
        if key not in _RESERVED
    }
    for key, values in axes.items():
        if not values:
            raise ValueError(f"{where}: `{key}` must list at least one value, got none")
        _require_distinct(key, values, where)
    return axes


def _require_distinct(key: str, values: list[Any], where: str) -> None:
    if any(value in values[:place] for place, value in enumerate(values)):
        raise ValueError(f"{where}: `{key}` must list distinct values, got {values!r}")


def _named(
    key: str, given: Any, tables: dict[str, dict[str, Any]], where: str
) -> list[dict[str, Any]]:
    """The tables of these names; an empty one where none is named."""
    if not isinstance(given, list) or not given:
        raise ValueError(
            f"{where}: `{key}` must list names, or name a list of [sets], got {given!r}"
        )
    for name in given:
        known = name is None or (isinstance(name, str) and name in tables)
        if not known:
            raise ValueError(
                f"{where}: `{key}` must be among {sorted(tables)}, got {name!r}"
            )
    _require_distinct(key, given, where)
    return [{} if name is None else tables[name] for name in given]


def _varies(cells: list[Cell], axes: dict[str, list[Any]]) -> tuple[str, ...]:
    """The settings that differ between cells, those of the product first."""
    settings = [cell.settings for cell in cells]
    names = [*axes, *(name for name in settings[0] if name not in axes)]
    return tuple(
        name
        for name in names
        if any(entry.get(name) != settings[0].get(name) for entry in settings)
    )


def _seeds(given: Any, where: str) -> list[int]:
    most = type(given) is int and given <= _MOST_SEEDS
    seeds = list(range(given)) if most else given
    whole = isinstance(seeds, list) and all(map(_is_seed, seeds))
    if not whole or not seeds or len(set(seeds)) != len(seeds):
        raise ValueError(
            f"{where}: `seeds` must be a positive number up to {_MOST_SEEDS:,} or a "
            f"list of distinct integers from 0 on, got {given!r}"
        )
    return list(seeds)


def _is_seed(given: Any) -> bool:
    return type(given) is int and 0 <= given < 2**63
