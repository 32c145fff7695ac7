"""Corruption of clean signals: white noise, faulty nodes, heavy tails."""

from typing import Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

__all__ = ["CorruptionSettings", "corrupt", "rms"]

Noise = Literal["none", "white", "impulsive", "heavy-tailed"]

_STREAM = 1  # of random numbers; the data itself is drawn from others


class CorruptionSettings(BaseModel):
    """What is wrong with the signals, and in which parts of the data.

    Example:
        >>> CorruptionSettings(noise="impulsive", share=0.1).outlier_size
        10.0
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    noise: Noise = "none"
    snr: float = Field(20.0, allow_inf_nan=False)  # dB, of white, heavy-tailed noise
    tail: float = Field(2.0, gt=0, allow_inf_nan=False)  # its degrees of freedom
    share: float = Field(0.05, ge=0, lt=1)  # of the nodes that are faulty
    outlier_size: float = Field(10.0, gt=0, allow_inf_nan=False)  # in rms of clean ones
    corrupted: Literal["both", "test"] = "both"  # training and test, or test alone


def corrupt(
    clean: Tensor,  # shape: (B, N)
    settings: CorruptionSettings,
    scale: float,
    seed: int,
) -> Tensor:  # shape: (B, N)
    r"""Corrupt every signal; the same seed draws alike whatever the sizes set.

    With :math:`\rho` the root mean square of clean training signals (``scale``):

    - white: :math:`y_i = x_i + \sigma g_i`, :math:`\sigma = \rho\, 10^{-\text{snr}/20}`
    - heavy-tailed: :math:`y_i = x_i + \sigma \tau_i`, with Student's t of ``tail``
      degrees of freedom in place of the normal :math:`g_i`
    - impulsive: with probability ``share``, for each node by itself, the value is lost
      and :math:`y_i = \rho\, \text{size}\, g_i` stands in its place

    Faulty nodes of a smaller share are among those of a larger one.

    Example:
        >>> half = CorruptionSettings(noise="impulsive", share=0.5)
        >>> y = corrupt(torch.ones(100, 10), half, scale=1.0, seed=0)
        >>> 0.45 < float((y != 1).double().mean()) < 0.55
        True
    """
    draws = np.random.default_rng([seed, _STREAM])
    sigma = scale * 10 ** (-settings.snr / 20)
    shape = tuple(clean.shape)
    if settings.noise == "white":
        return clean + sigma * torch.from_numpy(draws.standard_normal(shape))
    if settings.noise == "heavy-tailed":
        tailed = draws.standard_t(settings.tail, shape)
        return clean + sigma * torch.from_numpy(tailed)
    if settings.noise == "impulsive":
        faulty = torch.from_numpy(draws.random(shape)) < settings.share
        values = torch.from_numpy(draws.standard_normal(shape))
        return torch.where(faulty, scale * settings.outlier_size * values, clean)
    return clean


def rms(x: Tensor) -> float:
    """Root of the mean square of all values.

    Example:
        >>> rms(torch.tensor([3.0, -3.0]))
        3.0
    """
    return float(x.double().square().mean().sqrt())
