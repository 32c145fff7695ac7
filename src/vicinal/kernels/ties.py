"""Tied nodes share a gradient: plain torch loops, which serve everywhere."""

import torch
from torch import Tensor

from vicinal.kernels.reference import accumulator, tiles

__all__ = ["tie_mean", "tie_spread"]


def tie_spread(
    grad: Tensor,  # shape: (B, M, F)
    x: Tensor,  # shape: (B, N, F)
    values: Tensor,  # shape: (B, M, F)
    indptr: Tensor,
    indices: Tensor,
) -> Tensor:  # shape: (B, N, F)
    """Share the gradient of every row evenly among the nodes that hold its value."""
    total = torch.zeros_like(x, dtype=accumulator(grad.dtype))
    for rows, neighbors, batch, features in tiles(x, indptr, indices):
        share = _tie_shares(x, values, rows, neighbors, batch, features)
        sent = share * grad[batch, rows, features].unsqueeze(2)  # (b, r, n, f)
        block = torch.zeros_like(total[batch, :, features])
        block.index_add_(1, neighbors.flatten(), sent.flatten(1, 2).to(total.dtype))
        total[batch, :, features] += block
    return total.to(grad.dtype)


def tie_mean(
    t: Tensor,  # shape: (B, N, F)
    x: Tensor,  # shape: (B, N, F)
    values: Tensor,  # shape: (B, M, F)
    indptr: Tensor,
    indices: Tensor,
) -> Tensor:  # shape: (B, M, F)
    """Average ``t`` over the nodes of every row that hold its value."""
    mean = torch.zeros_like(values, dtype=t.dtype)
    for rows, neighbors, batch, features in tiles(x, indptr, indices):
        share = _tie_shares(x, values, rows, neighbors, batch, features)
        taken = share * t[batch, :, features][:, neighbors]
        mean[batch, rows, features] = taken.sum(2).to(t.dtype)
    return mean


def _tie_shares(
    x: Tensor,
    values: Tensor,
    rows: Tensor,
    neighbors: Tensor,
    batch: slice,
    features: slice,
) -> Tensor:  # shape: (b, r, n, f)
    v = x[batch, :, features][:, neighbors]
    target = values[batch, rows, features].unsqueeze(2)
    tied = torch.where(target.isnan(), v.isnan(), v == target)
    counts = tied.sum(2, keepdim=True).clamp(min=1)
    return tied.to(accumulator(x.dtype)) / counts
