"""``vicinal results``: look at stored rows, export and import them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli.options import AsJson, Only, Quick, StorePath, wanted
from vicinal.cli.progress import as_json

if TYPE_CHECKING:
    from vicinal.experiments.row import Row
    from vicinal.experiments.store import Store

__all__ = ["app"]

app = typer.Typer(
    help="Look at stored rows; move them between machines.",
    invoke_without_command=True,
)


@app.callback()
def results(
    context: typer.Context,
    only: Only = None,
    store: StorePath = Path("vicinal.sqlite"),
    machine: AsJson = False,
) -> None:
    """Print the rows of the store."""
    if context.invoked_subcommand is not None:
        if only is not None or machine or store != Path("vicinal.sqlite"):
            raise ValueError(
                "`--only`, `--store` and `--json` must stand behind "
                f"{context.invoked_subcommand!r}, got them before it"
            )
        return
    from vicinal.cli.screen import table
    from vicinal.experiments.only import pick
    from vicinal.report import labels

    known = [(row, _settings(row)) for row in _opened(store).rows()]
    given = [((row, settings), settings) for row, settings in known]
    picked = pick(given, wanted(only))
    _require_rows(
        picked,
        "`--store` and `--only` must leave rows",
        f"{store}, {_cells(only)}",
    )
    if machine:
        for row, _ in picked:
            as_json(vars(row))
        return
    lines = []
    for row, settings in picked:
        name, score = next(iter(row.scores.items()))
        changed = {k: v for k, v in row.settings.items() if k != "task"}
        text = " ".join(f"{k}={v}" for k, v in changed.items())
        told = f"{name} {score['last_mean']:.4f}"
        place = [row.settings["task"], labels.model(settings), text, str(row.seed)]
        lines.append([*place, told])
    table(["task", "model", "settings", "seed", "score"], lines)
    typer.echo(f"{len(lines)} rows in {store}")


@app.command("export")
def export_rows(
    path: Annotated[
        Path, typer.Argument(help="A .json, .json.gz or .csv file to write.")
    ],
    experiment: Annotated[
        str | None, typer.Option(help="Only the rows of this experiment.")
    ] = None,
    quick: Quick = False,
    only: Only = None,
    store: StorePath = Path("vicinal.sqlite"),
) -> None:
    """Write rows to a JSON or CSV file."""
    from vicinal.experiments import config
    from vicinal.experiments.exchange import write_rows
    from vicinal.experiments.only import pick
    from vicinal.report.results import Index

    known = [(row, _settings(row)) for row in _opened(store).rows()]
    rows = pick(known, wanted(only))
    if experiment is not None:
        index = Index(rows)  # of this results version, and of one version of the files
        cells = config.distinct(config.find(experiment), quick)
        found = (index.rows(cell.config_hash).get(cell.seed) for cell in cells)
        rows = [row for row in found if row is not None]
    asked = f"{store}, {experiment or 'all experiments'}, {_cells(only)}"
    _require_rows(rows, "`--store`, `--experiment`, `--only` must leave rows", asked)
    write_rows(path, rows)
    typer.echo(f"{len(rows)} rows in {path}")


@app.command("tables")
def print_tables(
    experiment: Annotated[str, typer.Argument(help="Whose tables to print.")],
    rows: Annotated[Path, typer.Option(help="Exported rows: a file or a folder.")],
    table: Annotated[
        str | None, typer.Option(help="Only this one, by its heading.")
    ] = None,
    only: Only = None,
    across: Annotated[
        str | None, typer.Option(help="Setting whose values stand side by side.")
    ] = None,
) -> None:
    """Print the tables of an experiment as Markdown: ours beside the published."""
    from vicinal.experiments import config
    from vicinal.experiments.exchange import read_rows
    from vicinal.experiments.only import select
    from vicinal.report.tables import markdown, tables
    from vicinal.report.wide import across as side_by_side

    planned, asked = config.find(experiment), wanted(only)
    select(config.distinct(planned), asked)  # refuses what no cell sets
    found = tables(planned, read_rows(rows), asked)
    _require_rows(
        found, "`--rows` and `--only` must leave rows", f"{rows}, {_cells(only)}"
    )
    shown = [one for one in found if table is None or _heads(table, one.name)]
    if not shown:
        names = [one.name for one in found]
        raise ValueError(f"`--table` must be one of {names}, got {table!r}")
    for one in shown:
        text = markdown(one) if across is None else side_by_side(one, across)
        typer.echo(f"### {one.name}\n\n{text}\n")


@app.command("import")
def import_rows(
    paths: Annotated[list[Path], typer.Argument(help="JSON or CSV files, or folders.")],
    store: StorePath = Path("vicinal.sqlite"),
) -> None:
    """Add rows from JSON or CSV files; rows that are there stay."""
    from vicinal.experiments.exchange import read_rows
    from vicinal.experiments.store import Store

    rows = [row for path in paths for row in read_rows(path)]
    _require_rows(rows, "`paths` must hold rows", ", ".join(map(str, paths)))
    new = Store(store).append_all(rows)
    typer.echo(f"{new} new of {len(rows)} rows; now in {store}")


def _cells(only: str | None) -> str:
    return repr(only) if only else "all cells"


def _require_rows(found: Sequence[Any], rule: str, got: str) -> None:
    if not found:
        raise ValueError(f"{rule}, got none of {got}")


def _settings(row: "Row") -> dict[str, Any]:
    """All settings of a row, defaults too, and its seed."""
    from vicinal.experiments.cell import make_cell

    try:
        known = make_cell(row.settings, row.seed, "row").settings
    except ValueError:  # of another version of the library
        known = row.settings
    return known | {"seed": row.seed}


def _heads(asked: str, name: str) -> bool:
    """Whether a table is asked for, by its name or as the page writes it."""
    from vicinal.report.labels import title

    return asked.casefold() in (name.casefold(), title(name).casefold())


def _opened(path: Path) -> "Store":
    from vicinal.experiments.store import Store

    if not path.exists():
        raise FileNotFoundError(
            f"`--store` must be an existing file, got {path}; `vicinal run` makes one"
        )
    return Store(path, readonly=True)
