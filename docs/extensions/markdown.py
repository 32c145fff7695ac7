"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    r"""Write a table; a bar inside a cell is escaped.

    Example:
        >>> print(table(["a", "b"], [["1", "x|y"]]), end="")
        | a | b |
        |---|---|
        | 1 | x\|y |
    """
    written = [_line(head), "|" + "---|" * len(head), *map(_line, lines)]
    return "\n".join(written) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
