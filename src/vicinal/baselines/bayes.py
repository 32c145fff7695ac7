"""The Bayes rule: no rule can be right more often where the generator is known."""

from typing import Literal

import torch
from torch import Tensor

__all__ = ["bayes"]

_CHUNK = 256  # signals at a time


def bayes(
    x: Tensor,  # shape: (B, N)
    library: Tensor,  # shape: (T, C, N), clean signals of every time and class
    noise: Literal["none", "white", "impulsive"],
    sigma: float = 0.0,
) -> Tensor:  # shape: (B, C)
    r"""Log-posterior of the class, up to a constant: classes and times equally likely.

    .. math:: \text{logit}_c = \log \sum_t p\bigl(x \mid s_{tc}\bigr)

    with :math:`s_{tc}` the clean signals.

    - White noise: :math:`\log p = -\|x - s_{tc}\|^2 / 2 \sigma^2`.
    - No noise: :math:`p = 1` if :math:`x = s_{tc}`, else 0.
    - Impulsive: each node keeps its clean value with probability
      :math:`1 - \pi`, else shows a draw from a density. A value that some clean signal
      has there is such a draw with probability zero, so with
      :math:`D = \{i : x_i = s_{tci} \text{ for some } t, c\}`

      .. math:: p \propto (1 - \pi)^{|D|} \prod_{i \notin D} \pi f(x_i)
          \prod_{i \in D} 1[x_i = s_{tci}]

      The first factors are the same for all :math:`(t, c)`: what is left is whether
      the signal agrees with all of :math:`D`, and neither :math:`\pi` nor :math:`f`
      need be known. As some signal does, those that agree are those that agree on the
      most nodes.

    Args:
        x: Signals as measured, neither clipped nor scaled.
        library: Clean signals; equality is taken literally, in the precision given.
        noise: What the generator does to them.
        sigma: Standard deviation of white noise.

    Example:
        >>> library = torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])
        >>> bayes(torch.tensor([[0.0, 7.0]]), library, "impulsive")
        tensor([[0., -inf]])
    """
    if noise not in ("none", "white", "impulsive"):
        raise ValueError(
            f"`noise` must be 'none', 'white' or 'impulsive', got {noise!r}"
        )
    if noise == "white" and not sigma > 0:
        raise ValueError(f"`sigma` must be positive for white noise, got {sigma}")
    each = [
        _white(part, library, sigma) if noise == "white" else _literal(part, library)
        for part in x.split(_CHUNK)
    ]
    return torch.cat(each)


def _white(x: Tensor, library: Tensor, sigma: float) -> Tensor:
    times, classes, _ = library.shape
    distance = torch.cdist(x.double(), library.double().flatten(0, 1))
    likelihood = -distance.square() / (2 * sigma**2)  # (B, T * C)
    return likelihood.view(-1, times, classes).logsumexp(1).to(x.dtype)


def _literal(x: Tensor, library: Tensor) -> Tensor:
    """Logarithm of how many times agree on the most nodes."""
    times, classes, _ = library.shape
    agree = torch.stack([(x == s).sum(1) for s in library.flatten(0, 1)], 1)
    best = agree == agree.max(1, keepdim=True).values  # (B, T * C)
    return best.view(-1, times, classes).sum(1).to(x.dtype).log()
