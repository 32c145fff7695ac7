"""Word adjacency networks on the page, of rows that hold one."""

from typing import Any

import matplotlib as mpl

from vicinal.report import labels
from vicinal.report.results import Section
from vicinal.report.svg import COLORS, INK, svg_text
from vicinal.report.word_network import draw_network

__all__ = ["word_pictures"]


def word_pictures(section: Section) -> list[tuple[str, str]]:
    """Author and SVG of each network that a section's rows hold."""
    return [
        (author, _drawn(author, network))
        for group in section.groups
        for row in group.rows
        if (network := row.result.get("network"))
        if (author := labels.value(group.settings.get("author", "")))
    ]


def _drawn(author: str, network: dict[str, Any]) -> str:
    told = f"Word adjacency network of {author}: {', '.join(network['words'])}"
    with mpl.rc_context({"text.color": INK}):
        figure = draw_network(**network, caption=False, colors=(COLORS[1], COLORS[2]))
        return svg_text(figure, told)
