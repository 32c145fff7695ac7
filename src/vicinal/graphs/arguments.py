"""What arguments are refused, in one wording: `name` must RULE, got VALUE."""

from typing import Any

import numpy as np

__all__ = ["check_choice", "check_integer", "check_number"]


def check_integer(name: str, value: Any, smallest: int | None = None) -> None:
    """Refuse what is no integer, or smaller than ``smallest``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"`{name}` must be an integer, got {type(value).__name__}")
    if smallest is not None and value < smallest:
        raise ValueError(f"`{name}` must be at least {smallest}, got {value}")


def check_number(name: str, value: Any) -> None:
    """Refuse what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"`{name}` must be a number, got {type(value).__name__}")


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is not among a few words."""
    if value not in choices:
        words = " or ".join(map(repr, choices))
        rule = words if len(choices) == 2 else f"one of {list(choices)}"
        raise ValueError(f"`{name}` must be {rule}, got {value!r}")
