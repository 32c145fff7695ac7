"""``vicinal run``: the cells of an experiment that have no row yet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli.options import (
    AsJson,
    Data,
    Name,
    Only,
    Quick,
    Quiet,
    StorePath,
    assignments,
    require_folder,
    wanted,
)
from vicinal.cli.progress import as_json, duration, shown

if TYPE_CHECKING:
    from collections.abc import Container

    from vicinal.experiments.cell import Cell
    from vicinal.experiments.config import Experiment
    from vicinal.experiments.row import Key, Row
    from vicinal.experiments.runner import Failure, Places
    from vicinal.experiments.store import Store

__all__ = ["run"]

Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="Other settings: --set epochs=5."),
]
Rerun = Annotated[bool, typer.Option(help="Run cells that have rows as well.")]
Logs = Annotated[Path | None, typer.Option(help="Folder for TensorBoard.")]
Kept = Annotated[Path | None, typer.Option(help="Folder for trained parameters.")]
Page = Annotated[Path, typer.Option("--report", help="Page to write at the end.")]
Words = Annotated[
    Path | None, typer.Option("--words", help="List of function words, one a line.")
]
Jobs = Annotated[int, typer.Option(help="Cells at once; 0 takes all cores.", min=0)]


def run(
    name: Name,
    *,
    quick: Quick = False,
    jobs: Jobs = 0,
    only: Only = None,
    changes: Set = None,
    rerun: Rerun = False,
    store: StorePath = Path("vicinal.sqlite"),
    data: Data = None,
    words: Words = None,
    logs: Logs = None,
    checkpoints: Kept = None,
    page: Page = Path("vicinal-report.html"),
    quiet: Quiet = False,
    machine: AsJson = False,
) -> None:
    """Run what the store does not have yet; stop and start again as you like."""
    from vicinal.cli import screen
    from vicinal.experiments import config, runner
    from vicinal.experiments.pool import cores
    from vicinal.experiments.store import Store
    from vicinal.files import require_writable

    experiment = config.find(name)
    settings = _replaced(changes, words)
    cells = _selected(config.distinct(experiment, quick, settings), only)
    require_writable(page, "--report")
    _require_folders(data, {"--logs": logs, "--checkpoints": checkpoints})
    todo = _missing(cells, store, rerun, data)
    kept, silent = Store(store), quiet or machine
    places = runner.Places(data, logs, checkpoints)
    cost = config.seconds(experiment, todo) / cores(jobs)
    if machine:
        _print_stored(kept, runner.row_keys(cells, data), todo)
    _announce(experiment, len(todo), len(cells), cost, silent)
    failures = _run(todo, kept, cores(jobs), places, silent, machine, cost)
    if not silent:
        screen.scores(experiment, quick, kept, settings)
    _write_page(page, kept, name, silent, bool(settings))
    _require_none(failures, len(todo))


def _selected(cells: "list[Cell]", only: str | None) -> "list[Cell]":
    from vicinal.experiments.only import select

    left = select(cells, wanted(only))
    if not left:
        raise ValueError(f"`--only` must leave at least one cell, got {only!r}")
    return left


def _missing(
    cells: "list[Cell]", store: Path, rerun: bool, data: Path | None
) -> "list[Cell]":
    """The cells to run; what they read is there, and where they write can be written.

    That is told before a store is made.
    """
    from vicinal.experiments import runner
    from vicinal.experiments.store import Store

    known = Store(store if store.exists() else Path(":memory:"))
    known.require_writable()
    todo = cells if rerun else runner.missing(cells, known, data)
    runner.require_data(todo, data)
    return todo


def _print_stored(kept: "Store", keys: "Container[Key]", todo: "list[Cell]") -> None:
    """The rows that are there: a script reads the same however often it was stopped."""
    left = {(cell.config_hash, cell.seed) for cell in todo}
    for row in kept.rows():
        if row.key in keys and (row.config_hash, row.seed) not in left:
            as_json(vars(row))


def _require_folders(data: Path | None, written: dict[str, Path | None]) -> None:
    from vicinal.files import require_writable_folder

    require_folder(data)
    for option, folder in written.items():
        if folder is not None:
            require_writable_folder(folder, option)


def _replaced(changes: list[str] | None, words: Path | None) -> dict[str, Any]:
    """Settings that the user gives in place of those of the file."""
    given = assignments(changes or [], "--set")
    given |= {"words": str(words)} if words else {}
    places = {n: given[n] for n in ("texts", "words") if n in given}
    places = {n: str(p) for n, p in places.items() if p not in ("", "paper", "own")}
    return given | {n: str(Path(p).resolve()) for n, p in places.items()}


def _announce(
    experiment: "Experiment", todo: int, cells: int, cost: float, silent: bool
) -> None:
    told = f"{todo} of {cells} cells to run, about {duration(cost)}"
    if not silent:
        typer.echo(f"{experiment.title}: {told}")


def _run(
    cells: "list[Cell]",
    kept: "Store",
    jobs: int,
    places: "Places",
    silent: bool,
    machine: bool,
    cost: float,
) -> int:
    """Run cells with progress; return how many failed."""
    from vicinal.experiments import runner
    from vicinal.experiments.row import Row

    progress = shown(len(cells), silent, expected=cost)

    def told(cell: "Cell", outcome: "Row | Failure") -> None:
        progress.advance(cell.label)
        if not isinstance(outcome, Row):
            progress.say(f"failed: {cell.label}: {outcome.reason}")
        elif machine:
            as_json(vars(outcome))

    try:
        with progress:
            return len(runner.run_all(cells, kept, jobs, places, told))
    except KeyboardInterrupt:
        end = "stopped; finished cells are kept, the same command goes on"
        typer.echo(end, err=True)
        raise typer.Exit(130) from None


def _write_page(
    page: Path, kept: "Store", name: str, silent: bool, changed: bool
) -> None:
    from vicinal.experiments import config
    from vicinal.report import html

    shipped = config.names()
    shown_too = [] if name in shipped else [name]  # the path of the user's own
    html.write(page, list(kept.rows()), [*shown_too, *shipped])
    if not silent:
        typer.echo(f"page: {page}")
    if changed and not silent:
        typer.echo("cells that --set changed are in `vicinal results`, not on the page")


def _require_none(failures: int, todo: int) -> None:
    """A run with failures ends with code 1."""
    if failures:
        typer.echo(f"failed: {failures} of {todo}; run again to retry", err=True)
        raise typer.Exit(1)
