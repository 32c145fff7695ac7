"""``vicinal report``: rows to one page."""

from pathlib import Path
from typing import Annotated

import typer

from vicinal.cli.options import Quiet, StorePath

__all__ = ["report"]


def report(
    out: Annotated[Path, typer.Option(help="Page to write.")] = Path(
        "vicinal-report.html"
    ),
    rows: Annotated[
        list[Path] | None, typer.Option(help="Exported rows: files or folders.")
    ] = None,
    store: StorePath = Path("vicinal.sqlite"),
    show: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write one self-contained page: tables, figures, claims, how it was made."""
    from vicinal.experiments.exchange import read_rows
    from vicinal.experiments.store import Store
    from vicinal.files import require_writable
    from vicinal.report import html

    require_writable(out, "--out")
    found = [row for path in rows or [] for row in read_rows(path)]
    if rows is None and not store.exists():
        raise FileNotFoundError(
            f"`--store` must be an existing file, got {store}; run an experiment, or "
            "pass `--rows results/`"
        )
    if rows is None:
        found = list(Store(store, readonly=True).rows())
    if not found:
        where = store if rows is None else ", ".join(map(str, rows))
        raise ValueError(f"`--rows` or `--store` must hold rows, got none in {where}")
    html.write(out, found)
    if not quiet:
        typer.echo(f"page: {out.resolve()} ({len({row.key for row in found})} rows)")
    if show:
        typer.launch(out.resolve().as_uri())
