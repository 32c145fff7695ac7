"""``vicinal info``: what is installed, and what serves."""

from importlib import metadata

import typer

from vicinal.cli.options import AsJson
from vicinal.cli.progress import as_json

__all__ = ["info"]

_LIBRARIES = ("vicinal", "torch", "numpy", "scipy", "networkx", "torch-geometric")


def info(machine: AsJson = False) -> None:
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
    if machine:
        as_json(facts)
        return
    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:{width}}  {fact}")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
