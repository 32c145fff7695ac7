"""Graph filters: polynomials in the shift operator."""

from typing import Literal

import torch
from torch import Tensor

from vicinal.functional import product
from vicinal.functional.signals import check_device
from vicinal.graphs import SparseMatrix
from vicinal.graphs.arguments import check_choice, check_integer, check_tensor

__all__ = ["graph_filter", "shift_powers", "tap_sum"]

Form = Literal["auto", "powers", "horner"]


def graph_filter(
    x: Tensor,  # shape: (..., N, G), or a sparse (N, G)
    shift: SparseMatrix,
    weight: Tensor,  # shape: (taps, G, F)
    bias: Tensor | None = None,  # shape: (F,)
    form: Form = "auto",
) -> Tensor:  # shape: (..., N, F)
    r"""Filter signals by a bank of polynomials in the shift operator.

    .. math:: u^f = \sum_g \sum_{k=0}^{K-1} h_k^{fg} S^k x^g

    Args:
        x: Graph signals; a sparse tensor is never made dense.
        shift: The shift operator, see :meth:`vicinal.Graph.shift`.
        weight: Filter coefficients, one matrix per tap.
        bias: Added to every node.
        form: ``"powers"`` shifts the inputs, ``"horner"`` the outputs; ``"auto"``
            shifts on the side with fewer features.

    Shape:
        - x: ``(..., N, G)``
        - weight: ``(taps, G, F)``
        - output: ``(..., N, F)``

    Example:
        >>> from vicinal import Graph
        >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        >>> x = torch.tensor([[1.0], [0.0], [0.0]])
        >>> taps = torch.tensor([5.0, 3.0]).view(2, 1, 1)
        >>> graph_filter(x, ring.shift(), taps).flatten()
        tensor([5., 3., 0.])
    """
    check_choice("form", form, ("auto", "powers", "horner"))
    check_tensor("weight", weight)
    _check(x, shift, f"{weight.size(1)}" if weight.dim() == 3 else "features")
    _check_weight(x, weight)
    taps, inputs, outputs = weight.shape
    if bias is not None:
        _check_bias(x, bias, outputs)
    weight = weight.to(x.dtype)
    sparse = x.layout != torch.strided
    if form == "auto":
        form = "powers" if inputs < outputs else "horner"
    if form == "powers" and not sparse:
        rows = product.powers(shift, x, taps).flatten(-2)  # (..., N, taps * G)
        u = rows @ weight.flatten(0, 1)
    else:
        u = _horner(x, shift, weight)
    return u if bias is None else u + bias.to(u.dtype)


def shift_powers(
    x: Tensor,  # shape: (..., N, G)
    shift: SparseMatrix,
    taps: int,
) -> Tensor:  # shape: (taps, ..., N, G)
    """Stack x, Sx, ..., S^(taps-1) x; compute it once for inputs that never change.

    Example:
        >>> from vicinal import Graph
        >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        >>> shift_powers(torch.eye(3)[:, :1], ring.shift(), 3).squeeze(-1)
        tensor([[1., 0., 0.],
                [0., 1., 0.],
                [0., 0., 1.]])
    """
    _check(x, shift)
    check_integer("taps", taps, smallest=1)
    if x.layout != torch.strided:
        raise TypeError(
            f"`x` must be dense, got {x.layout}; hand it to `graph_filter` as it is"
        )
    return product.powers(shift, x, taps).movedim(-2, 0)


def tap_sum(
    powers: Tensor,  # shape: (taps, ..., N, G)
    weight: Tensor,  # shape: (taps, G, F)
) -> Tensor:  # shape: (..., N, F)
    """Combine stacked powers by filter coefficients.

    Example:
        >>> tap_sum(torch.ones(2, 3, 1), torch.ones(2, 1, 1)).flatten()
        tensor([2., 2., 2.])
    """
    check_tensor("powers", powers)
    check_tensor("weight", weight)
    _check_weight(powers, weight)
    if powers.dim() < 3 or len(powers) != len(weight):
        raise ValueError(
            f"`powers` must have shape ({len(weight)}, ..., nodes, {weight.size(1)}), "
            f"got {tuple(powers.shape)}"
        )
    rows = powers.movedim(0, -2).flatten(-2)  # (..., N, taps * G)
    return rows @ weight.flatten(0, 1).to(rows.dtype)


def _horner(x: Tensor, shift: SparseMatrix, weight: Tensor) -> Tensor:
    taps, inputs, outputs = weight.shape
    mixed = x @ weight.movedim(0, 1).reshape(inputs, taps * outputs)
    return product.horner(shift, mixed.unflatten(-1, (taps, outputs)))


def _check(x: Tensor, shift: SparseMatrix, features: str = "features") -> None:
    if not isinstance(shift, SparseMatrix):
        raise TypeError(
            f"`shift` must be a shift operator, got {type(shift).__name__}; "
            "make one with `graph.shift(name)`"
        )
    if not isinstance(x, Tensor) or not x.is_floating_point():
        got = x.dtype if isinstance(x, Tensor) else type(x).__name__
        raise TypeError(f"`x` must be floating point, got {got}")
    fits = x.dim() >= 2 and x.size(-2) == shift.shape[1]
    if not fits or (features != "features" and x.size(-1) != int(features)):
        raise ValueError(
            f"`x` must have shape (..., {shift.shape[1]}, {features}), "
            f"got {tuple(x.shape)}"
        )
    place = shift.rows[2].device
    if x.device != place:
        raise ValueError(
            f"`shift` must be on the device of `x` ({x.device}), got {place}; "
            "move it with `shift.to(x.device)`"
        )


def _check_weight(x: Tensor, weight: Tensor) -> None:
    if weight.dim() != 3 or weight.size(1) != x.size(-1) or weight.size(0) < 1:
        raise ValueError(
            f"`weight` must have shape (taps, {x.size(-1)}, out_features), "
            f"got {tuple(weight.shape)}"
        )
    check_device("weight", weight, x)


def _check_bias(x: Tensor, bias: Tensor, outputs: int) -> None:
    check_tensor("bias", bias)
    if bias.shape != (outputs,):
        raise ValueError(
            f"`bias` must have shape ({outputs},), got {tuple(bias.shape)}"
        )
    check_device("bias", bias, x)
