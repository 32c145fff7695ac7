"""A matplotlib figure as SVG text whose colors, fonts and width are the page's."""

import hashlib
import io
import re
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

__all__ = ["COLORS", "GRID", "INK", "svg_text"]

# stand-ins that become var(--s0), ..., var(--ink), var(--grid)
COLORS = tuple(f"#0000e{number}" for number in range(9))
INK, GRID = "#0000f0", "#0000f1"

_SPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def svg_text(figure: Figure, description: str) -> str:
    """Write a figure so that it can stand inside a page.

    Args:
        figure: What to write.
        description: What it shows, for those who cannot see it.
    """
    text = io.StringIO()
    settings: dict[Any, Any] = {"svg.hashsalt": description, "svg.fonttype": "none"}
    with mpl.rc_context(settings):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    svg = _bare(svg[svg.index("<svg") :])
    name = f'role="img" aria-label="{escape(description)}"'
    opening = r'^<svg[^>]*?viewBox="([^"]+)"[^>]*>'
    found = re.match(opening, svg)
    box = found[1] if found else "0 0 1 1"
    svg = f'<svg viewBox="{box}" {_SPACES} {name}>' + re.sub(opening, "", svg)
    return _colored(svg)


def _bare(svg: str) -> str:
    """Without metadata, comments, font families and names that nothing refers to."""
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", svg)
    svg = re.sub(r"\s*font-family: [^;\"]*;?", "", svg)
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', svg))
    svg = re.sub(
        r' id="([\w.-]+)"', lambda name: name[0] if name[1] in used else "", svg
    )
    own = hashlib.sha256(svg.encode()).hexdigest()[:6]  # no other figure has these
    return re.sub(r'( id="|url\(#|href="#)([\w-]+)', rf"\1\2-{own}", svg)


def _colored(svg: str) -> str:
    for number, color in enumerate(COLORS):
        svg = svg.replace(color, f"var(--s{number})")
    return svg.replace(INK, "var(--ink)").replace(GRID, "var(--grid)")
