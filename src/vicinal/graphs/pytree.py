"""Records of tensors as pytrees, so that torch can look inside and rebuild them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

__all__ = ["map_tensors", "register_record"]

T = TypeVar("T")


def register_record(
    record: type, tensors: Sequence[str], constants: Sequence[str] = ()
) -> None:
    """Tell torch which fields of a dataclass hold tensors and which are plain."""

    def children(value: Any) -> list[Any]:
        found = [getattr(value, name) for name in tensors]
        return [dict(sorted(f.items())) if isinstance(f, dict) else f for f in found]

    def context(value: Any) -> list[Any]:  # as JSON would write it
        found = [getattr(value, name) for name in constants]
        return [list(f) if isinstance(f, tuple) else f for f in found]

    def rebuild(found: Any, context: Any) -> Any:
        plain = [tuple(c) if isinstance(c, list) else c for c in context]
        named = dict(zip(tensors, found, strict=True))
        return record(**named, **dict(zip(constants, plain, strict=True)))

    torch.serialization.add_safe_globals([record])  # plain data: nothing is executed
    keys: list[pytree.KeyEntry] = [pytree.GetAttrKey(name) for name in tensors]
    pytree.register_pytree_node(
        record,
        lambda value: (children(value), context(value)),
        rebuild,
        serialized_type_name=f"vicinal.{record.__name__}",
        flatten_with_keys_fn=lambda value: (
            list(zip(keys, children(value), strict=True)),
            context(value),
        ),
    )


def map_tensors(function: Callable[[Tensor], Tensor], value: T) -> T:
    """Apply a function to every tensor inside a record."""
    mapped: T = pytree.tree_map_only(Tensor, function, value)
    return mapped
