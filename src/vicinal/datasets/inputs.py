"""What a practitioner does to inputs first: clip them, bring them to one scale."""

from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict
from torch import Tensor

from vicinal.datasets.corruption import rms

__all__ = ["InputSettings", "condition"]

_CLIPPED = 0.05  # share of training values beyond the bound


class InputSettings(BaseModel):
    """What is done to signals before a model sees them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    clip: bool = False
    input_scale: Literal["none", "rms"] = "none"


def condition(
    x: Tensor,  # shape: (B, N)
    train: Tensor,  # shape: (n,)
    settings: InputSettings,
    low: float | None = None,
) -> Tensor:  # shape: (B, N)
    """Clip signals, then divide them by one number; both from the training part.

    Clipping is to [``low``, q95], the 95 % quantile of all training values; to
    [q5, q95] where no lower bound is known. The scale is the root mean square.

    Example:
        >>> import torch
        >>> x = torch.tensor([[-1.0, 1.0], [9.0, 1.0]])
        >>> condition(x, torch.tensor([0]), InputSettings(input_scale="rms"))
        tensor([[-1.,  1.],
                [ 9.,  1.]])
    """
    if settings.clip:
        seen = x[train].numpy()
        least = float(np.quantile(seen, _CLIPPED)) if low is None else low
        x = x.clamp(least, float(np.quantile(seen, 1 - _CLIPPED)))
    if settings.input_scale == "rms":
        x = x / rms(x[train])
    return x
