"""Options that several commands share, and how their values are read."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["AsJson", "Data", "Name", "Only", "Quick", "Quiet", "StorePath"]
__all__ += ["assignments", "require_folder", "wanted"]

Name = Annotated[str, typer.Argument(help="Experiment, or path of a TOML file.")]
StorePath = Annotated[Path, typer.Option("--store", help="Where rows are kept.")]
Quick = Annotated[bool, typer.Option("--quick", help="The short form.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print errors only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one value a line.")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder that holds the data."),
]
Only = Annotated[
    str | None,
    typer.Option("--only", help="Cells that set this: 'hops=1,seed=0'."),
]


def require_folder(data: Path | None) -> None:
    """Refuse a folder of data that is not there."""
    if data is not None and not data.is_dir():
        raise ValueError(f"`--data` must be an existing folder, got {data}")


def assignments(texts: list[str], option: str) -> dict[str, Any]:
    """Read ``name=value`` pairs, separated by commas outside brackets and quotes.

    Example:
        >>> assignments(["epochs=5,times=[0, 24]", "graph=geometric"], "--set")
        {'epochs': 5, 'times': [0, 24], 'graph': 'geometric'}
        >>> assignments(['texts="books, old"'], "--set")
        {'texts': 'books, old'}
    """
    read: dict[str, Any] = {}
    for text in texts:
        for pair in _pieces(text):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not name or not value:
                raise ValueError(f"`{option}` must be name=value, got {pair!r}")
            if name in read:
                raise ValueError(f"`{option}` must set {name!r} once, got it twice")
            read[name] = _value(value)
    return read


def wanted(only: str | None) -> dict[str, Any]:
    """What ``--only`` asks for; nothing of an option that was not given."""
    return {} if only is None else assignments([only], "--only")


def _pieces(text: str) -> list[str]:
    pieces, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0 and not quoted:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
