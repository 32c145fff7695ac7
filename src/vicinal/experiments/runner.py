"""Run the cells that the store does not have, several at once."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vicinal import datasets
from vicinal.experiments.cell import RESULTS_VERSION, Cell, make_cell
from vicinal.experiments.pool import work
from vicinal.experiments.row import Key, Row
from vicinal.experiments.run import run_cell
from vicinal.experiments.store import Store

__all__ = ["Failure", "Places", "missing", "require_data", "row_keys", "run_all"]


@dataclass(frozen=True)
class Places:
    """Folders: of the data, for TensorBoard, for trained parameters."""

    folder: Path | None = None
    logs: Path | None = None
    checkpoints: Path | None = None


@dataclass(frozen=True)
class Failure:
    """A cell that gave no row, and why."""

    cell: Cell
    reason: str


def missing(cells: Iterable[Cell], store: Store, folder: Path | None) -> list[Cell]:
    """The cells without a row, each once, seed by seed so that parts are comparable."""
    have = store.keys()
    left = [c for key, c in row_keys(cells, folder).items() if key not in have]
    return sorted(left, key=lambda cell: cell.seed)


def row_keys(cells: Iterable[Cell], folder: Path | None) -> dict[Key, Cell]:
    """Each cell once, by the key of the row that it gives with the files as they are.

    Args:
        cells: Any cells.
        folder: The user's folder of data sets.
    """
    distinct = {(cell.config_hash, cell.seed): cell for cell in cells}
    data = _checksums(distinct.values(), folder)
    return {
        (*key, data[_origin(cell)], RESULTS_VERSION): cell
        for key, cell in distinct.items()
    }


def _checksums(
    cells: Iterable[Cell], folder: Path | None
) -> dict[tuple[str, str], str]:
    """The checksum of what each task reads, each computed once."""
    first = {_origin(cell): cell for cell in cells}
    return {
        origin: datasets.TASKS[cell.name].checksum(cell.task, folder)
        for origin, cell in first.items()
    }


def _origin(cell: Cell) -> tuple[str, str]:
    return cell.name, cell.task.model_dump_json()


def require_data(cells: Iterable[Cell], folder: Path | None) -> None:
    """Load one task for each set of files: what is missing is said once."""
    last_first = list(cells)[::-1]
    files = _checksums(last_first, folder)
    first = {(cell.name, files[_origin(cell)]): cell for cell in last_first}
    for (name, checksum), cell in first.items():
        if checksum:
            datasets.TASKS[name].load(cell.task, cell.seed, folder)


def run_all(
    cells: list[Cell],
    store: Store,
    jobs: int = 1,
    places: Places | None = None,
    on_done: Callable[[Cell, Row | Failure], None] = lambda cell, outcome: None,
) -> list[Failure]:
    """Run cells and store each row as it is finished; the cells that failed come back.

    Args:
        cells: What to run.
        store: Where rows go; only this process writes.
        jobs: How many cells run at once, one torch thread each.
        places: Folders to read from and to write to.
        on_done: Called with each row or failure, for progress.
    """
    folders = {
        name: str(path.resolve()) if path else None
        for name, path in vars(places or Places()).items()
    }
    requests = [
        {"settings": cell.changed, "seed": cell.seed, **folders} for cell in cells
    ]
    failures = []
    with closing(work(_answer, requests, jobs)) as outcomes:  # or workers would go on
        for outcome in outcomes:
            cell = cells[outcome.job]
            result: Row | Failure
            if outcome.failure is not None:
                result = Failure(cell, outcome.failure)
                failures.append(result)
            else:
                result = Row(**outcome.answer)
                store.append(result)
            on_done(cell, result)
    return failures


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run one cell in a worker process."""
    cell = make_cell(request["settings"], request["seed"], "cell")
    paths = {
        name: Path(request[name]) if request[name] else None
        for name in ("folder", "logs", "checkpoints")
    }
    return vars(run_cell(cell, **paths))
