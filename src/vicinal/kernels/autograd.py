"""An operator and its gradient, in every mode of torch.

A :class:`torch.autograd.Function` serves eager mode and :mod:`torch.func`; the gradient
registered with the operator serves ``torch.compile`` and exported programs, which do
not trace a Function that has a forward-mode rule.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function, forward_ad

from vicinal.kernels import operators

__all__ = ["differentiable", "is_tracked", "save"]


def differentiable(
    name: str,
    remember: Callable[..., None],
    backward: Callable[..., Any],
    tangent: Callable[..., Any],
) -> Callable[..., Any]:
    """Give ``vicinal::name`` its gradient, twice, from one definition."""
    operator = getattr(operators, name)
    backward = _where_defined(backward)
    body = {
        "generate_vmap_rule": True,
        "forward": staticmethod(lambda *inputs: operator(*inputs)),
        "setup_context": staticmethod(remember),
        "backward": staticmethod(backward),
        "jvp": staticmethod(tangent),
    }
    function: Any = type(name, (Function,), body)
    plain = super(Function, function).apply  # as `apply`, without binding signatures
    torch.library.register_autograd(
        f"vicinal::{name}", backward, setup_context=remember
    )

    def call(*inputs: Any) -> Any:
        if torch.compiler.is_compiling():
            _refuse_forward_mode(name)
            return operator(*inputs)
        if _is_transformed(inputs):
            return function.apply(*inputs)
        return plain(*inputs) if is_tracked(*inputs) else operator(*inputs)

    return call


def _where_defined(backward: Callable[..., Any]) -> Callable[..., Any]:
    """No gradient in, none out: autograd may leave out zeros."""

    def call(ctx: Any, grad: Tensor | None, *others: Any) -> Any:
        if grad is None:
            return (None,) * len(ctx.needs_input_grad)
        return backward(ctx, grad, *others)

    return call


def save(ctx: Any, *tensors: Tensor) -> None:
    """Keep tensors for both directions."""
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


def is_tracked(*inputs: Any) -> bool:
    """Whether a gradient of any kind may be asked for later."""
    if torch.compiler.is_compiling() or _is_transformed(inputs):
        return True
    return torch.is_grad_enabled() and any(
        isinstance(t, Tensor) and t.requires_grad for t in inputs
    )


def _is_transformed(inputs: tuple[Any, ...]) -> bool:
    """Whether :mod:`torch.func` or forward mode is at work, or was on these tensors."""
    if forward_ad._current_level >= 0:
        return True
    wrapped = torch._C._functorch.is_functorch_wrapped_tensor
    return torch._C._are_functorch_transforms_active() or any(
        wrapped(t) for t in inputs if isinstance(t, Tensor)
    )


def _refuse_forward_mode(name: str) -> None:
    if forward_ad._current_level >= 0:
        raise RuntimeError(
            f"forward mode through `vicinal::{name}` must not be compiled; "
            "call it outside `torch.compile`"
        )
