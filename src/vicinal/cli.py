"""The command line: arguments to one call each; the only place that prints.

Heavy libraries are imported inside the commands, so that ``vicinal --help`` answers at
once.
"""

import json
from importlib import metadata
from typing import Annotated

import typer

__all__ = ["app", "main"]

app = typer.Typer(
    help="Graph neural networks whose activation functions see the graph.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

_LIBRARIES = ("vicinal", "torch", "numpy", "scipy", "networkx", "torch-geometric")


@app.callback()
def root() -> None:
    """Graph neural networks whose activation functions see the graph."""


@app.command()
def info(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print versions, the active kernel path and the number of threads."""
    import platform

    import torch

    from vicinal import kernels

    facts = {
        "python": platform.python_version(),
        **{name: _version(name) for name in _LIBRARIES},
        "kernels": kernels.active_path(),
        "threads": torch.get_num_threads(),
    }
    if as_json:
        typer.echo(json.dumps(facts))
        return
    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:{width}}  {fact}")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def main() -> None:
    """Run the command line."""
    app()
