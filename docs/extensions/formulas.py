"""Formulas as MathML: pages that need no network and no script to show them."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml, pick_math_environment
from sphinx.util import logging

SYNONYMS = {r"\\dots\b": r"\\ldots", r"\\operatorname\*": r"\\operatorname"}


def mathml(latex: str, block: bool) -> str:
    """Translate one formula.

    Example:
        >>> "<mi>x</mi>" in mathml("x + 1", block=False)
        True
    """
    for pattern, known in SYNONYMS.items():
        latex = re.sub(pattern, known, latex)
    environment = pick_math_environment(latex) if block else "equation*"
    if environment != "equation*":
        latex = f"\\begin{{{environment}}}{latex}\\end{{{environment}}}"
    return latex2mathml.tex2mathml(latex, as_block=block)


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula in a line."""
    writer.body.append(_translated(node, block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    formula = _translated(node, block=True)
    writer.body.append(f'<div class="math-block">{formula}</div>\n')
    raise nodes.SkipNode


def _translated(node: nodes.TextElement, block: bool) -> str:
    try:
        return mathml(node.astext(), block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return ""


def setup(app: Any) -> dict[str, bool]:
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
