"""Graph filters: polynomials in the shift operator."""

from typing import Literal

import torch
from torch import Tensor

from vicinal.functional.product import multiply
from vicinal.graphs import SparseMatrix

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
    if form not in ("auto", "powers", "horner"):
        raise ValueError(f"`form` must be auto, powers or horner, got {form!r}")
    taps, inputs, outputs = weight.shape
    sparse = x.layout != torch.strided
    if form == "auto":
        narrow = inputs < outputs or (shift.dense is not None and inputs == outputs)
        form = "powers" if narrow else "horner"
    if form == "powers" and not sparse:
        u = tap_sum(shift_powers(x, shift, taps), weight)
    else:
        u = _horner(x, shift, weight)
    return u if bias is None else u + bias


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
    shifted = [x]
    for _ in range(taps - 1):
        shifted.append(multiply(shift, shifted[-1]))
    return torch.stack(shifted)


def tap_sum(powers: Tensor, weight: Tensor) -> Tensor:
    """Combine stacked powers ``(taps, ..., N, G)`` by ``(taps, G, F)`` coefficients."""
    rows = powers.movedim(0, -2).flatten(-2)  # (..., N, taps * G)
    return rows @ weight.flatten(0, 1).to(rows.dtype)


def _horner(x: Tensor, shift: SparseMatrix, weight: Tensor) -> Tensor:
    taps, inputs, outputs = weight.shape
    mixed = x @ weight.movedim(0, 1).reshape(inputs, taps * outputs)
    terms = mixed.unflatten(-1, (taps, outputs)).unbind(-2)
    u: Tensor = terms[-1]
    for term in reversed(terms[:-1]):
        u = term + multiply(shift, u)
    return u
