"""``vicinal data``: what data there is and how to get it."""

from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli.options import AsJson, Data, require_folder
from vicinal.cli.progress import as_json

if TYPE_CHECKING:
    from vicinal.datasets.download import Availability

__all__ = ["app"]

app = typer.Typer(help="List, fetch and verify data sets.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Of the data set: `vicinal data list`.")]


@app.command("list")
def list_data(data: Data = None, machine: AsJson = False) -> None:
    """Print every data set: where it is, its terms, whom to cite."""
    from vicinal.datasets.download import available

    require_folder(data)
    for found in available(data):
        facts = _facts(found)
        if machine:
            as_json(facts)
            continue
        width = max(map(len, facts))
        for name, fact in facts.items():
            typer.echo(f"{name:{width}}  {fact or '-'}")
        typer.echo("")


@app.command()
def fetch(
    name: Name,
    from_index: Annotated[
        bool,
        typer.Option("--from-index", help="Take it from a package, by pip."),
    ] = False,
) -> None:
    """Bring a data set into the cache; its terms and its citation are printed."""
    from vicinal.datasets.catalog import entry
    from vicinal.datasets.download import fetch as bring

    folder = bring(name, from_index)
    typer.echo(f"{folder}: fetched and checked")
    typer.echo(f"terms: {entry(name).terms}\ncite: {entry(name).citation}")


@app.command()
def verify(name: Name, data: Data = None) -> None:
    """Compare every file of a data set with its published SHA-256."""
    from vicinal.datasets.catalog import entry
    from vicinal.datasets.download import verify as compare

    require_folder(data)
    found = compare(name, data)
    for path in found.values():
        typer.echo(f"{path}: as published")
    absent = [file.name for file in entry(name).files if file.name not in found]
    if absent:
        typer.echo(f"not here, and not needed by every task: {', '.join(absent)}")


def _facts(found: "Availability") -> dict[str, str]:
    data = found.data
    return {
        "name": data.name,
        "title": data.title,
        "found in": str(found.where or ""),
        "publisher": data.homepage,
        "package": data.wheel.requirement if data.wheel else "",
        "terms": data.terms,
        "cite": data.citation,
    }
