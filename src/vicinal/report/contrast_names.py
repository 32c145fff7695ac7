"""A named difference in words: its two sides, and once what they have in common."""

from typing import Any

from vicinal.report import labels

__all__ = ["contrast_name"]

_MODEL = ("activation", "hops", "pointwise", "model")

Cells = tuple[dict[str, Any], ...]


def contrast_name(plus: Cells, minus: Cells, scale: float = 1.0) -> str:
    """Say a difference in words.

    Args:
        plus: Cells of the one side.
        minus: Cells of the other.
        scale: What the difference of their sums is multiplied by.

    Example:
        >>> plus = ({"graph": "geometric", "activation": "max", "hops": 2},)
        >>> minus = ({"graph": "geometric", "activation": "relu"},)
        >>> contrast_name(plus, minus)
        '2-hop max − ReLU (geometric)'
    """
    plus, minus = (tuple(map(labels.effective, side)) for side in (plus, minus))
    cells = [*plus, *minus]
    names = dict.fromkeys(name for cell in cells for name in cell if name not in _MODEL)
    shared = [n for n in names if all(_text(n, c) == _text(n, cells[0]) for c in cells)]
    own = [name for name in names if name not in shared]
    sides = [_side(side, own, scale * len(side) == 1) for side in (plus, minus)]
    common = ", ".join(filter(None, (_text(name, cells[0]) for name in shared)))
    return f" {labels.MINUS} ".join(sides) + (f" ({common})" if common else "")


def _side(cells: Cells, own: list[str], mean: bool) -> str:
    """A sum of cells, or their mean."""
    texts = [_cell(cell, own) for cell in cells]
    if len(set(texts)) == 1:
        return texts[0] if mean else f"{len(texts)} × {texts[0]}"
    return f"{'mean of ' if mean else ''}[{' + '.join(texts)}]"


def _cell(cell: dict[str, Any], own: list[str]) -> str:
    texts = [_text(name, cell) for name in own if name in cell]
    return ", ".join([labels.model(cell), *texts])


def _text(name: str, cell: dict[str, Any]) -> str:
    given = cell.get(name)
    if given is None:
        return ""
    if name == "read" and "curve" not in given:
        return _plain_read(given)
    if name == "read":
        curve = given["curve"].replace("_", " ").replace("valid", "validation")
        return f"{curve} of epochs {labels.value(given['epochs'])}"
    return labels.setting(name, given)


def _plain_read(given: dict[str, Any]) -> str:
    if "value" in given:
        return f"printed {given['value']:g}"
    return str(given["fact"]).replace("_", " ")
