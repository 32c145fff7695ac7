"""The compiled kernels, where there are any: the only file that knows them.

Tensors go in as array views, results are allocated here. Everything obeys the contract
stated in :mod:`vicinal.kernels.reference`, bit for bit; half precision is widened to
float32 on the way in and narrowed on the way out, which changes no comparison.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

try:
    _native: Any = importlib.import_module("vicinal.kernels._native")
except ImportError:  # installed without a compiler
    _native = None

__all__ = [
    "combine",
    "combine_backward",
    "combine_maxima",
    "forced_path",
    "gather",
    "horner",
    "isa",
    "maxima",
    "powers",
    "product",
    "scatter",
    "select",
    "select_balls",
    "select_centers",
]

PATHS = ("auto", "network", "ranks", "codes", "plain")
_path = "auto"


def isa() -> str | None:
    """The instruction set in use, or None where nothing was compiled."""
    return None if _native is None else str(_native.isa())


@contextlib.contextmanager
def forced_path(path: str) -> Iterator[None]:
    """Force one way of selecting instead of the cost model's choice; for debugging.

    Example:
        >>> with forced_path("plain"):
        ...     pass
    """
    global _path
    if path not in PATHS:
        raise ValueError(f"`path` must be one of {PATHS}, got {path!r}")
    before, _path = _path, path
    try:
        yield
    finally:
        _path = before


def select(
    x: Tensor, indptr: Tensor, indices: Tensor, rank: list[int], skip_nan: bool
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.reference.select`."""
    wide = _wide(x)
    values = wide.new_empty(x.size(0), indptr.numel() - 1, x.size(2))
    nodes = torch.empty_like(values, dtype=torch.int32)
    _native.select(
        _view(wide), *_csr(indptr, indices), tuple(rank), skip_nan,
        _out(values), _out(nodes), torch.get_num_threads(), _path,
    )  # fmt: skip
    return values.to(x.dtype), nodes


def select_balls(
    x: Tensor,
    indptr: Tensor,
    indices: Tensor,
    hops: int,
    rank: list[int],
    skip_nan: bool,
) -> tuple[Tensor, Tensor]:
    """Select in balls found on the fly from one-hop rows, never stored."""
    wide = _wide(x)
    values = wide.new_empty(x.size(0), hops * x.size(1), x.size(2))
    nodes = torch.empty_like(values, dtype=torch.int32)
    _native.select(
        _view(wide), *_csr(indptr, indices), tuple(rank), skip_nan,
        _out(values), _out(nodes), torch.get_num_threads(), "balls", hops,
    )  # fmt: skip
    return values.to(x.dtype), nodes


def select_centers(
    x: Tensor, structure: tuple[Tensor, Tensor], hops: int, centers: Tensor, rank: Any
) -> tuple[Tensor, Tensor]:
    """As :func:`select_balls` around some nodes only; for measuring large graphs."""
    values = x.new_empty(x.size(0), hops * centers.numel(), x.size(2))
    nodes = torch.empty_like(values, dtype=torch.int32)
    _native.select_centers(
        _view(x), *_csr(*structure), hops, _view(centers.int()), tuple(rank), False,
        _out(values), _out(nodes), torch.get_num_threads(),
    )  # fmt: skip
    return values, nodes


def maxima(
    x: Tensor, indptr: Tensor, indices: Tensor, hops: int, skip_nan: bool
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.reference.maxima`."""
    wide = _wide(x)
    values = wide.new_empty(x.size(0), hops * x.size(1), x.size(2))
    nodes = torch.empty_like(values, dtype=torch.int32)
    _native.maxima(
        _view(wide), *_csr(indptr, indices), hops, skip_nan,
        _out(values), _out(nodes), torch.get_num_threads(),
    )  # fmt: skip
    return values.to(x.dtype), nodes


def combine(
    x: Tensor,
    weight: Tensor,
    indptr: Tensor,
    indices: Tensor,
    rank: list[int],
    skip_nan: bool,
    keep_nodes: bool,
    on_the_fly: bool = False,
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.reference.combine`; balls stored or on the fly."""
    hops = weight.size(0) - 1
    combined, nodes = _combined(x, hops, keep_nodes)
    _native.select_combine(
        _view(x), *_csr(indptr, indices), hops, tuple(rank), skip_nan, _view(weight),
        _out(combined), _out(nodes) if keep_nodes else None,
        torch.get_num_threads(), "balls" if on_the_fly else _path,
    )  # fmt: skip
    return combined, nodes


def combine_maxima(
    x: Tensor,
    weight: Tensor,
    indptr: Tensor,
    indices: Tensor,
    skip_nan: bool,
    keep_nodes: bool,
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.reference.combine_maxima`."""
    hops = weight.size(0) - 1
    combined, nodes = _combined(x, hops, keep_nodes)
    _native.maxima_combine(
        _view(x), *_csr(indptr, indices), hops, skip_nan, _view(weight),
        _out(combined), _out(nodes) if keep_nodes else None, torch.get_num_threads(),
    )  # fmt: skip
    return combined, nodes


def combine_backward(
    grad: Tensor, x: Tensor, weight: Tensor, nodes: Tensor
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.reference.combine_backward`."""
    grad_x = torch.empty_like(x, memory_format=torch.contiguous_format)
    grad_weight = weight.new_empty(weight.shape, dtype=torch.float64)
    _native.combine_backward(
        _view(grad), _view(x), _view(nodes.int()), _view(weight), _out(grad_x),
        _out(grad_weight), torch.get_num_threads(),
    )  # fmt: skip
    return grad_x, grad_weight.to(weight.dtype)


def scatter(grad: Tensor, nodes: Tensor, num_nodes: int) -> Tensor:
    """As :func:`vicinal.kernels.reference.scatter`."""
    wide = _wide(grad)
    total = wide.new_empty(grad.size(0), num_nodes, grad.size(2))
    _native.scatter(
        _view(wide), _view(nodes.int()), _out(total), torch.get_num_threads()
    )
    return total.to(grad.dtype)


def gather(x: Tensor, nodes: Tensor) -> Tensor:
    """As :func:`vicinal.kernels.reference.gather`."""
    wide = _wide(x)
    values = wide.new_empty(nodes.shape)
    _native.gather(
        _view(wide), _view(nodes.int()), _out(values), torch.get_num_threads()
    )
    return values.to(x.dtype)


def product(x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor) -> Tensor:
    """As :func:`vicinal.kernels.reference.product`, sums in the order of the row."""
    wide = _wide(x)
    result = wide.new_empty(indptr.numel() - 1, x.size(1))
    _native.product(
        _view(wide), *_csr(indptr, indices), _view(weight.to(wide.dtype)),
        _view(result), torch.get_num_threads(),
    )  # fmt: skip
    return result.to(x.dtype)


def powers(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, taps: int
) -> Tensor:
    """As :func:`vicinal.kernels.reference.powers`, sums in the order of the row."""
    wide = _wide(x)
    result = wide.new_empty(x.size(0), x.size(1), taps, x.size(2))
    _native.powers(
        _view(wide), *_csr(indptr, indices), _view(weight.to(wide.dtype)),
        _out(result), torch.get_num_threads(),
    )  # fmt: skip
    return result.to(x.dtype)


def horner(terms: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor) -> Tensor:
    """As :func:`vicinal.kernels.reference.horner`, sums in the order of the row."""
    wide = _wide(terms)
    result = wide.new_empty(terms.size(0), terms.size(1), terms.size(3))
    _native.horner(
        _view(wide), *_csr(indptr, indices), _view(weight.to(wide.dtype)),
        _out(result), torch.get_num_threads(),
    )  # fmt: skip
    return result.to(terms.dtype)


def check_csr(indptr: Tensor, indices: Tensor, num_columns: int) -> bool:
    """Whether CSR rows are sound: ends, lengths, range and order of ids."""
    code = _native.csr_check(
        *_csr(indptr, indices), num_columns, torch.get_num_threads()
    )
    return bool(code == 0)


def are_nodes(nodes: Tensor, num_nodes: int) -> bool:
    """Whether selected nodes (int32) are in -1, ..., num_nodes - 1."""
    return bool(_native.are_nodes(_view(nodes), num_nodes))


def ball_sizes(
    indptr: Tensor, indices: Tensor, hops: int, exact: bool, centers: Tensor
) -> Tensor:
    """As :func:`vicinal.kernels.hops.ball_sizes`, also for exactly k hops."""
    sizes = torch.empty(hops, centers.numel(), dtype=torch.int64)
    _native.ball_sizes(
        *_csr(indptr, indices), hops, exact, _view(sizes), torch.get_num_threads(),
        _view(centers),
    )  # fmt: skip
    return sizes


def balls(
    indptr: Tensor,
    indices: Tensor,
    hops: int,
    exact: bool,
    check: Callable[[int], None],
) -> tuple[Tensor, Tensor]:
    """As :func:`vicinal.kernels.hops.balls`."""
    everyone = torch.arange(indptr.numel() - 1, dtype=torch.int32)
    sizes = ball_sizes(indptr, indices, hops, exact, everyone)
    ends = torch.zeros(sizes.numel() + 1, dtype=torch.int64)
    torch.cumsum(sizes.flatten(), 0, out=ends[1:])
    check(int(ends[-1]))
    found = torch.empty(int(ends[-1]), dtype=torch.int32)
    _native.balls(
        *_csr(indptr, indices), hops, exact, _view(ends), _out(found),
        torch.get_num_threads(),
    )  # fmt: skip
    return ends, found


def _combined(x: Tensor, hops: int, keep_nodes: bool) -> tuple[Tensor, Tensor]:
    combined = torch.empty_like(x, memory_format=torch.contiguous_format)
    rows = hops * x.size(1) if keep_nodes else 0
    return combined, x.new_empty(x.size(0), rows, x.size(2), dtype=torch.int32)


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def _csr(indptr: Tensor, indices: Tensor) -> tuple[Any, Any]:
    return _view(indptr.long()), _view(indices.int())


def _view(tensor: Tensor) -> Any:
    return tensor.detach().contiguous().numpy()


def _out(tensor: Tensor) -> Any:
    """Memory that a loop writes to: never a copy."""
    assert tensor.is_contiguous()
    return tensor.numpy()
