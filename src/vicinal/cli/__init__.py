"""The command line: arguments to one call each; the only place that prints.

- :mod:`vicinal.cli.info` -- versions, kernel path, threads
- :mod:`vicinal.cli.show` -- what experiments there are, and what they cost
- :mod:`vicinal.cli.run` -- run them
- :mod:`vicinal.cli.results` -- look at rows, move them between machines
- :mod:`vicinal.cli.report` -- the page
- :mod:`vicinal.cli.picture` -- a movie on the network of users
- :mod:`vicinal.cli.data` -- what data there is and how to get it
- :mod:`vicinal.cli.texts` -- texts to numbers of words, pictures of word networks
- :mod:`vicinal.cli.options`, :mod:`~vicinal.cli.progress` -- what commands share

Heavy libraries are imported inside the commands, so that ``vicinal --help`` answers at
once.
"""

import os
import sys
from typing import Annotated

import typer

from vicinal.cli import data, info, picture, report, results, run, show, texts

__all__ = ["app", "main"]

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def _version(asked: bool) -> None:
    if asked:
        from vicinal import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Graph neural networks whose activation functions see the graph."""


app.command("list")(show.list_experiments)
app.command()(show.show)
app.command()(run.run)
app.add_typer(results.app, name="results")
app.command()(report.report)
app.command()(picture.picture)
app.add_typer(data.app, name="data")
app.add_typer(texts.app, name="texts")
app.command()(info.info)


def main() -> None:
    """Run the command line; what goes wrong is one sentence, and exit code 2.

    ``VICINAL_DEBUG=1`` shows where it went wrong as well.
    """
    try:
        app()
    except (ValueError, TypeError, OSError, ImportError) as error:
        if os.environ.get("VICINAL_DEBUG"):
            raise
        sys.stderr.write(f"vicinal: {error}\n")
        raise SystemExit(2) from None
