"""Which implementation serves the operators: asked once, here and nowhere else.

``VICINAL_KERNELS=reference`` forces plain torch, ``native`` refuses to run without the
compiled kernels; ``VICINAL_ISA=baseline`` forces the slower instruction set.
"""

import logging
import os
from types import ModuleType

from torch import Tensor

from vicinal.kernels import native, reference

__all__ = ["active_path", "serving", "uses_native"]

_CHOICES = ("auto", "reference", "native")
_SETS = ("", "auto", "baseline")


def _choose(wanted: str) -> bool:
    """Whether the native kernels are used."""
    if wanted not in _CHOICES:
        raise ValueError(f"`VICINAL_KERNELS` must be one of {_CHOICES}, got {wanted!r}")
    if wanted == "native" and native.isa() is None:
        raise ImportError(
            "`VICINAL_KERNELS` must not be 'native' where the kernels were not "
            "compiled; install a C++17 compiler and reinstall vicinal"
        )
    if wanted == "auto" and native.isa() is None:
        logging.getLogger("vicinal").warning(
            "vicinal runs on plain torch: for the fast kernels install a C++17 "
            "compiler and reinstall vicinal (VICINAL_KERNELS=reference hides this line)"
        )
    return wanted != "reference" and native.isa() is not None


def _check_set(wanted: str) -> None:
    if wanted not in _SETS:
        raise ValueError(f"`VICINAL_ISA` must be one of {_SETS[1:]}, got {wanted!r}")


_check_set(os.environ.get("VICINAL_ISA", ""))
_NATIVE = _choose(os.environ.get("VICINAL_KERNELS", "auto"))


def active_path() -> str:
    """Which implementation serves tensors on the CPU.

    Example:
        >>> active_path().split()[0] in ("native", "reference")
        True
    """
    return f"native ({native.isa()})" if _NATIVE else "reference"


def uses_native(tensor: Tensor) -> bool:
    """Whether the compiled loops serve a tensor."""
    return _NATIVE and tensor.device.type == "cpu"


def serving(tensor: Tensor) -> ModuleType:
    """The module whose loops serve a tensor."""
    return native if uses_native(tensor) else reference
