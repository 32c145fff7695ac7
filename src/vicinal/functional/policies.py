"""What the odd cases give: NaN, ties, empty neighbourhoods."""

from typing import Literal

import torch
from torch import Tensor

from vicinal.graphs.arguments import check_choice
from vicinal.kernels.rank import Rank

__all__ = [
    "Convention",
    "Empty",
    "Nan",
    "Ties",
    "check_empty",
    "check_policies",
    "filled",
    "require",
]

Convention = Literal["upper", "lower"]
Empty = Literal["raise", "self"] | float
Nan = Literal["propagate", "ignore", "raise"]
Ties = Literal["first", "share"]


def check_policies(rule: Rank, nan: str, empty: str | float, ties: str) -> None:
    """Refuse what is no rule for an odd case."""
    if not isinstance(rule, Rank):
        raise TypeError(
            f"`rule` must be a Rank, got {type(rule).__name__}; see "
            "`vicinal.kernels.rank`"
        )
    check_choice("nan", nan, ("propagate", "ignore", "raise"))
    check_choice("ties", ties, ("first", "share"))
    check_empty(empty)


def check_empty(empty: str | float) -> None:
    """Refuse what is neither a rule for empty neighbourhoods nor a number."""
    number = isinstance(empty, int | float) and not isinstance(empty, bool)
    if not number and empty not in ("raise", "self"):
        raise ValueError(f"`empty` must be 'raise', 'self' or a number, got {empty!r}")


def filled(
    x: Tensor,  # shape: (..., N, F)
    values: Tensor,  # shape: (..., hops, N, F)
    missing: Tensor,  # shape: that of values, or (hops, N, 1)
    empty: Empty,
) -> Tensor:  # shape: (..., hops, N, F)
    """Put something, or an error, where a neighbourhood was empty."""
    if empty == "raise":
        require(
            ~missing.any(),
            "`graph` must have no empty neighbourhood, got one; pass empty='self' or a "
            "number",
        )
        return values
    if empty == "self":
        return torch.where(missing, x.unsqueeze(-3), values)
    return values.masked_fill(missing, float(empty))


def require(holds: Tensor, message: str) -> None:
    """Check data, also inside a compiled program."""
    if torch.compiler.is_compiling():
        torch._assert_async(holds, message)
    elif not holds:
        raise ValueError(message)
