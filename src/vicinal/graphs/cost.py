"""What local operators on a graph will take, before anything is allocated."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    hops: int,
    features: int = 1,
    batch: int = 1,
) -> Cost:
    """Measure balls node by node, without storing them."""
    num_nodes = len(indptr) - 1
    sampled = num_nodes > _SAMPLE
    nodes = np.arange(num_nodes)
    if sampled:
        nodes = np.random.default_rng(0).choice(num_nodes, _SAMPLE, replace=False)
    seen = np.full(num_nodes, -1)
    sizes = np.array(
        [_ball_sizes(indptr, indices, i, hops, seen) for i in nodes.tolist()]
    )
    mean = sizes.mean(axis=0) if hops else np.zeros(0)
    entries = mean.sum() * num_nodes
    return Cost(
        hops=hops,
        mean_ball=tuple(mean.tolist()),
        largest_ball=tuple(sizes.max(axis=0).tolist()) if hops else (),
        sampled=sampled,
        neighborhood_bytes=int(4 * entries + 8 * (hops * num_nodes + 1)),
        signal_bytes=8 * batch * hops * num_nodes * features,
        operations=int(entries * batch * features),
    )


def _ball_sizes(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    node: int,
    hops: int,
    seen: npt.NDArray[np.int64],  # shape: (N,); scratch, marks nodes already met
) -> list[int]:
    """Sizes of the balls within 1, ..., ``hops`` hops of ``node``."""
    seen[node] = node
    frontier = np.array([node])
    size, sizes = 1, []
    for _ in range(hops):
        rows = [indices[indptr[i] : indptr[i + 1]] for i in frontier]
        found = np.unique(np.concatenate(rows)) if rows else frontier
        frontier = found[seen[found] != node]
        seen[frontier] = node
        size += len(frontier)
        sizes.append(size)
    return sizes
