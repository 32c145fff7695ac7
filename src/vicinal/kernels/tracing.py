"""The operators without data: shapes for tracing, and rules for ``torch.func.vmap``.

Mapped signals join the batch; weights that are mapped are taken one at a time.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from vicinal.kernels import operators
from vicinal.kernels.checks import check_device

__all__: list[str] = []


def _fake(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(shape: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            torch.library.register_fake(f"vicinal::{name}", shape)
        return shape

    return register


def _check_devices(x: Tensor, *others: Any) -> None:
    """A real signal beside tensors without data would come here, and get rubbish."""
    for name, tensor in zip(("indptr", "indices", "weight"), others, strict=False):
        check_device(name, tensor, x)


def _pair(x: Tensor, rows: int) -> tuple[Tensor, Tensor]:
    shape = (x.size(0), rows, x.size(2))
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int32)


@_fake("select", "select_shared")
def _(x: Tensor, indptr: Tensor, indices: Tensor, *_rest: Any) -> tuple[Tensor, Tensor]:
    _check_devices(x, indptr, indices)
    return _pair(x, indptr.size(0) - 1)


@_fake("maxima", "select_balls")
def _(
    x: Tensor, indptr: Tensor, indices: Tensor, hops: int, *_rest: Any
) -> tuple[Tensor, Tensor]:
    _check_devices(x, indptr, indices)
    return _pair(x, hops * x.size(1))


@_fake("combine", "combine_balls", "combine_maxima")
def _(x: Tensor, weight: Tensor, *rest: Any) -> tuple[Tensor, Tensor]:
    _check_devices(x, *rest[:2], weight)
    hops = weight.size(0) - 1 if rest[-1] else 0
    return x.new_empty(x.shape), _pair(x, hops * x.size(1))[1]


@_fake("combine_backward")
def _(grad: Tensor, x: Tensor, weight: Tensor, nodes: Tensor) -> tuple[Tensor, Tensor]:
    for name, tensor in (("grad", grad), ("weight", weight), ("nodes", nodes)):
        check_device(name, tensor, x)
    return x.new_empty(x.shape), weight.new_empty(weight.shape)


@_fake("gather")
def _(x: Tensor, nodes: Tensor) -> Tensor:
    check_device("nodes", nodes, x)
    return x.new_empty(nodes.shape)


@_fake("scatter")
def _(grad: Tensor, nodes: Tensor, num_nodes: int) -> Tensor:
    check_device("nodes", nodes, grad)
    return grad.new_empty(grad.size(0), num_nodes, grad.size(2))


@_fake("tie_spread")
def _(
    grad: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor
) -> Tensor:
    _check_devices(x, indptr, indices)
    return grad.new_empty(x.shape)


@_fake("tie_mean")
def _(t: Tensor, x: Tensor, values: Tensor, indptr: Tensor, indices: Tensor) -> Tensor:
    _check_devices(x, indptr, indices)
    return t.new_empty(values.shape)


@_fake("product")
def _(
    x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    _check_devices(x, indptr, indices, weight)
    return x.new_empty(indptr.size(0) - 1, x.size(1))


@_fake("powers")
def _(x: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *rest: Any) -> Tensor:
    _check_devices(x, indptr, indices, weight)
    return x.new_empty(x.size(0), x.size(1), rest[-1], x.size(2))


@_fake("horner")
def _(
    terms: Tensor, indptr: Tensor, indices: Tensor, weight: Tensor, *_transpose: Tensor
) -> Tensor:
    _check_devices(terms, indptr, indices, weight)
    return terms.new_empty(terms.size(0), terms.size(1), terms.size(3))


def _fold(tensor: Tensor, dim: int | None, size: int) -> Tensor:
    """Move the mapped dimension of a ``(B, ...)`` signal into its batch."""
    mapped = (
        tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)
    )
    return mapped.flatten(0, 1)


def _unfold(result: Any, size: int) -> tuple[Any, Any]:
    if isinstance(result, Tensor):
        return result.unflatten(0, (size, -1)), 0
    return tuple(tensor.unflatten(0, (size, -1)) for tensor in result), (0,) * len(
        result
    )


def _map_into_batch(name: str, signals: int) -> None:
    """The first ``signals`` arguments are signals, the others are never mapped."""
    operator = getattr(operators, name)

    def rule(info: Any, in_dims: Any, *arguments: Any) -> Any:
        size = info.batch_size
        folded = [_fold(arguments[i], in_dims[i], size) for i in range(signals)]
        return _unfold(operator(*folded, *arguments[signals:]), size)

    torch.library.register_vmap(f"vicinal::{name}", rule)


def _map_one_by_one(name: str, only_if_mapped: int | None) -> None:
    """Fold the signal unless argument ``only_if_mapped`` is mapped: then loop."""
    operator = getattr(operators, name)

    def rule(info: Any, in_dims: Any, *arguments: Any) -> Any:
        size = info.batch_size
        if only_if_mapped is not None and in_dims[only_if_mapped] is None:
            folded = _fold(arguments[0], in_dims[0], size)
            return _unfold(operator(folded, *arguments[1:]), size)
        results = [operator(*_taken(arguments, in_dims, i)) for i in range(size)]
        return tuple(map(torch.stack, zip(*results, strict=True))), (0, 0)

    torch.library.register_vmap(f"vicinal::{name}", rule)


def _taken(arguments: Any, in_dims: Any, i: int) -> list[Any]:
    pairs = zip(arguments, in_dims, strict=True)
    return [a.select(dim, i) if isinstance(dim, int) else a for a, dim in pairs]


def _map_product(info: Any, in_dims: Any, x: Tensor, *arrays: Tensor) -> Any:
    columns = x.movedim(in_dims[0], 1).flatten(1)  # (N, V * C)
    result = operators.product(columns, *arrays)
    return result.unflatten(1, (info.batch_size, -1)), 1


for _name, _signals in {
    "select": 1,
    "select_shared": 1,
    "select_balls": 1,
    "maxima": 1,
    "gather": 2,
    "scatter": 2,
    "tie_spread": 3,
    "tie_mean": 3,
    "powers": 1,
    "horner": 1,
}.items():
    _map_into_batch(_name, _signals)
_map_one_by_one("combine", only_if_mapped=1)
_map_one_by_one("combine_balls", only_if_mapped=1)
_map_one_by_one("combine_maxima", only_if_mapped=1)
_map_one_by_one("combine_backward", only_if_mapped=None)
torch.library.register_vmap("vicinal::product", _map_product)
