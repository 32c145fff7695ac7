"""Pictures as files of their own: which format a path asks for, and its bytes."""

import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

__all__ = ["FORMATS", "picture_bytes", "picture_format"]

FORMATS = ("png", "svg", "pdf")
_DOTS = 150  # per inch, of PNG


def picture_format(path: Path) -> str:
    """The format that a path's ending means.

    Example:
        >>> picture_format(Path("toy-story.PNG"))
        'png'
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise ValueError(
            f"`path` must end in {', '.join('.' + f for f in FORMATS[:-1])} "
            f"or .{FORMATS[-1]}, got {path.name!r}"
        )
    return ending


def picture_bytes(figure: Figure, form: str = "png") -> bytes:
    """A figure as a file's content, the same every time.

    Args:
        figure: What to write.
        form: One of ``FORMATS``.

    Example:
        >>> picture_bytes(Figure(), "svg")[:5]
        b'<?xml'
    """
    if form not in FORMATS:
        raise ValueError(f"`form` must be one of {list(FORMATS)}, got {form!r}")
    undated: dict[str, Any] = {
        "png": {},
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
    }
    written = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "vicinal"}):
        figure.savefig(written, format=form, dpi=_DOTS, metadata=undated[form])
    return written.getvalue()
