"""What local operators on a graph will take, before anything is allocated."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from vicinal import kernels
from vicinal.graphs.arguments import check_integer

__all__ = ["Cost", "estimate"]

_SAMPLE = 1000  # nodes whose balls are measured when the graph is larger


@dataclass(frozen=True)
class Cost:
    """Ball sizes, bytes and operations of local operators on one graph.

    Sizes are exact for graphs of at most 1000 nodes, for larger ones they are measured
    on 1000 nodes drawn with a fixed seed (``sampled``).
    """

    hops: int
    mean_ball: tuple[float, ...]  # one entry per hop count
    largest_ball: tuple[int, ...]
    sampled: bool
    entries: int  # of all neighbourhoods of all hop counts
    neighborhood_bytes: int  # stored neighbourhoods, int32 ids and int64 offsets
    signal_bytes: int  # values and selected nodes of all hops, float32 and int32
    operations: int  # values looked at by one pass over all neighbourhoods

    def __str__(self) -> str:
        balls = ", ".join(
            f"{k}: {mean:.1f} (largest {top})"
            for k, (mean, top) in enumerate(
                zip(self.mean_ball, self.largest_ball, strict=True), start=1
            )
        )
        return (
            f"ball sizes by hop {{{balls}}}{' (sampled)' if self.sampled else ''}; "
            f"neighbourhoods {self.neighborhood_bytes / 1e6:.1f} MB; "
            f"signals {self.signal_bytes / 1e6:.1f} MB; "
            f"{self.operations / 1e6:.1f} million values looked at"
        )


def estimate(
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    features: int = 1,
    batch: int = 1,
) -> Cost:
    """Measure balls node by node, without storing them."""
    check_integer("features", features, 0)
    check_integer("batch", batch, 0)
    num_nodes = indptr.numel() - 1
    sampled = num_nodes > _SAMPLE
    nodes = torch.arange(num_nodes, dtype=torch.int32)
    if sampled:
        order = np.random.default_rng(0).permutation(num_nodes)[:_SAMPLE]
        nodes = torch.from_numpy(order.astype(np.int32))
    sizes = kernels.ball_sizes(indptr, indices, hops, nodes)  # (hops, sample)
    mean = sizes.double().mean(1)
    entries = float(mean.sum()) * num_nodes
    return Cost(
        hops=hops,
        mean_ball=tuple(mean.tolist()),
        largest_ball=tuple(sizes.amax(1).tolist()) if hops else (),
        sampled=sampled,
        entries=round(entries),
        neighborhood_bytes=round(4 * entries + 8 * (hops * num_nodes + 1)),
        signal_bytes=8 * batch * hops * num_nodes * features,
        operations=round(entries * batch * features),
    )
