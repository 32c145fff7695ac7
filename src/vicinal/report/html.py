"""The report as one self-contained page: no network, no file beside it."""

import math
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from vicinal import __version__, files
from vicinal.experiments.row import Row
from vicinal.report import labels
from vicinal.report.page import page

__all__ = ["render", "write"]


def render(rows: Iterable[Row], experiments: Sequence[str] | None = None) -> str:
    """The text of the page.

    Args:
        rows: Rows of a store or of a folder of exported ones.
        experiments: Names or paths of experiments; all that come with the library if
            not given.
    """
    template = _environment().get_template("template.html")
    return template.render(
        page=page(rows, experiments),
        version=__version__,
        style=Markup(_file("style.css")),
        script=Markup(_file("sort.js")),
    )


def write(
    path: Path, rows: Iterable[Row], experiments: Sequence[str] | None = None
) -> None:
    """Write the page; a reader sees the old one or the new one, never half of it.

    Args:
        path: Where to.
        rows: Rows of a store or of a folder of exported ones.
        experiments: Names or paths of experiments; all if not given.
    """
    files.write(path, render(rows, experiments).encode())


def p_text(p: float) -> str:
    """A p-value as it is printed.

    Example:
        >>> p_text(0.0312), p_text(0.00001), p_text(float("nan"))
        ('0.031', '< 0.001', '–')
    """
    if math.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"


def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "number": labels.number,
        "signed": labels.signed,
        "interval": labels.interval,
        "p": p_text,
        "svg": Markup,
        "to": "to {}".format,
        "sortable": lambda value: "" if math.isnan(value) else f"{value:.9g}",
    }
    made.tests["nan"] = math.isnan
    return made


def _file(name: str) -> str:
    return (resources.files("vicinal.report") / name).read_text(encoding="utf-8")
