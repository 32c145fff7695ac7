"""What arguments are refused, in one wording: `name` must RULE, got VALUE."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

__all__ = [
    "check_choice",
    "check_flag",
    "check_floating",
    "check_integer",
    "check_number",
    "check_probability",
    "check_tensor",
]


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


def check_probability(name: str, value: Any) -> None:
    """Refuse what is no number between 0 and 1."""
    check_number(name, value)
    if not 0 <= value <= 1:
        raise ValueError(f"`{name}` must be in the range [0, 1], got {value}")


def check_flag(name: str, value: Any) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False, got {value!r}")


def check_floating(name: str, value: Any) -> None:
    """Refuse what is no floating point type of torch."""
    if not isinstance(value, torch.dtype) or not value.is_floating_point:
        raise TypeError(
            f"`{name}` must be a floating point type such as torch.float32, "
            f"got {value!r}"
        )


def check_tensor(name: str, value: Any) -> None:
    """Refuse what is no tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f"`{name}` must be a tensor, got {type(value).__name__}")


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is not among a few words."""
    if value not in choices:
        words = " or ".join(map(repr, choices))
        rule = words if len(choices) == 2 else f"one of {list(choices)}"
        raise ValueError(f"`{name}` must be {rule}, got {value!r}")
