"""``vicinal data``: what data there is and how to get it."""

import typer

__all__ = ["app"]

app = typer.Typer(help="List, fetch and verify data sets.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """List, fetch and verify data sets."""
