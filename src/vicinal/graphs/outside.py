"""Outside of what torch does to signals: a graph is no part of it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["outside_transforms"]


@contextmanager
def outside_transforms() -> Iterator[None]:
    """Leave ``torch.func`` and inference mode while something is made of a graph.

    What is made is kept and serves later calls of any kind, and arrays of a graph are
    read by NumPy and native code, which a transform of ``torch.func`` would not let.

    Example:
        >>> def total(x):
        ...     with outside_transforms():
        ...         ends = torch.arange(3).numpy()
        ...     return x.sum() * len(ends)
        >>> torch.func.grad(total)(torch.ones(2))
        tensor([3., 3.])
    """
    from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack

    with temporarily_clear_interpreter_stack(), torch.inference_mode(False):
        yield
