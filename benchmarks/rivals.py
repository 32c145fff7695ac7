"""What is timed: functions ``(B, N, F) -> (B, N, F)``, prepared for one setting.

All but ReLU compute ``w_0 x + sum_k w_k op_k(x)`` over the same neighbourhoods. Those
that work on rows of nodes are handed signals that lie in memory nodes first, so that
they never pay for a transpose; "spmm, batch first" shows what one costs them.
"""

import importlib.util
import warnings
from collections.abc import Callable
from typing import NamedTuple

import torch

import vicinal as vc
from benchmarks.loop import balls_of, local_loop
from benchmarks.setting import (
    Forward,
    Product,
    Setting,
    ball_matrix,
    by_nodes,
    csr_pair,
)

GATHERED = 1.6e9  # bytes of gathered values a rival may make; backward needs several


# --- linear ---------------------------------------------------------------------------


def relu(setting) -> Forward:
    """The usual activation: knows no neighbours, has no weights."""
    return torch.relu


def spmm(setting) -> Forward:
    """Sums over the same balls by torch's CSR product: the yardstick."""
    pair = csr_pair(ball_matrix(setting.balls))
    return by_nodes(lambda x: Product.apply(x, *pair), setting)


def spmm_iterated(setting) -> Forward:
    """The linear filter S(Sx): not the same numbers, but all that a filter needs."""
    pair = csr_pair(ball_matrix(setting.workload.graph.neighborhoods(1)))

    def powers(x):
        terms = [Product.apply(x, *pair)]
        for _ in range(setting.hops - 1):
            terms.append(Product.apply(terms[-1], *pair))
        return torch.cat(terms) if setting.hops > 1 else terms[0]

    return by_nodes(powers, setting)


# --- max and median, by others --------------------------------------------------------


def segment_reduce(setting) -> Forward:
    """Maxima by ``torch.segment_reduce`` over gathered values."""
    indices, offsets = setting.balls.indices.long(), setting.balls.indptr

    def maxima(x):
        return torch.segment_reduce(
            x[indices], "max", offsets=offsets, axis=0, unsafe=True
        )

    return by_nodes(maxima, setting)


def scatter_reduce(setting) -> Forward:
    """Maxima by ``Tensor.scatter_reduce`` over gathered values."""
    indices, rows, size = _edges(setting)

    def maxima(x):
        place = rows[:, None].expand(-1, x.size(1))
        start = x.new_zeros(size, x.size(1))
        return start.scatter_reduce(0, place, x[indices], "amax", include_self=False)

    return by_nodes(maxima, setting)


def pyg_max(setting) -> Forward:
    """Maxima by PyG's ``MaxAggregation``."""
    return _aggregated("MaxAggregation", setting)


def pyg_median(setting) -> Forward:
    """Lower medians by PyG's ``MedianAggregation``."""
    return _aggregated("MedianAggregation", setting)


def _aggregated(name, setting):
    with warnings.catch_warnings():  # its import speaks of deprecations in torch
        warnings.simplefilter("ignore", DeprecationWarning)
        aggregate = getattr(importlib.import_module("torch_geometric.nn"), name)()
    indices, rows, size = _edges(setting)
    return by_nodes(
        lambda x: aggregate(x[indices], index=rows, dim_size=size, dim=0), setting
    )


def _edges(setting):
    """Sources, rows (ordered) and the number of rows of the stacked balls."""
    counts = setting.balls.indptr.diff()
    return setting.balls.indices.long(), torch.repeat_interleave(counts), len(counts)


def loop_max(setting) -> Forward:
    """Maxima by our plain loop."""
    return _looped(setting, "max")


def loop_median(setting) -> Forward:
    """Lower medians by our plain loop."""
    return _looped(setting, "median")


def _looped(setting, reduce):
    balls = balls_of(setting.balls)

    def forward(x):
        local = local_loop(x, balls, setting.hops, reduce)
        return setting.combine(x, local.unbind(1))

    return forward


# --- ours -----------------------------------------------------------------------------


def vicinal_max(setting) -> Forward:
    """The library's ``MaxActivation``."""
    return _module(vc.nn.MaxActivation(setting.hops), setting)


def vicinal_median(setting) -> Forward:
    """The library's ``MedianActivation``."""
    return _module(vc.nn.MedianActivation(setting.hops), setting)


def _module(activation, setting):
    activation.weight = setting.weight
    graph = setting.workload.graph
    return lambda x: activation(x, graph)


# --- all of them ----------------------------------------------------------------------


class Rival(NamedTuple):
    """How to prepare a function, and how to feed it."""

    prepare: Callable[[Setting], Forward]
    nodes_first: bool = True
    nanoseconds: float = 0.0  # rough, per gathered value, forward and backward
    per_node: bool = False  # a loop: backward touches the whole signal for each node

    def lay_out(self, x):
        """The signals in the memory layout that suits this rival."""
        return x.transpose(0, 1).contiguous().transpose(0, 1) if self.nodes_first else x

    def estimate(self, setting):
        """Seconds this may take, infinite where it would not fit into memory."""
        if not self.nanoseconds:
            return 0.0
        if 4 * setting.gathered > GATHERED:
            return float("inf")
        seconds = 1e-9 * self.nanoseconds * setting.gathered
        if self.per_node:
            rows = setting.hops * setting.workload.graph.num_nodes
            signal = setting.columns * setting.workload.graph.num_nodes
            seconds += rows * (5e-5 + 1e-9 * signal)
        return seconds


RIVALS: dict[str, Rival] = {
    "ReLU": Rival(relu),
    "spmm": Rival(spmm),
    "spmm, batch first": Rival(spmm, nodes_first=False),
    "spmm, iterated": Rival(spmm_iterated),
    "max: vicinal": Rival(vicinal_max, nodes_first=False),
    "max: segment_reduce": Rival(segment_reduce, nanoseconds=20),
    "max: scatter_reduce": Rival(scatter_reduce, nanoseconds=40),
    "max: PyG": Rival(pyg_max, nanoseconds=80),
    "max: own loop": Rival(loop_max, False, nanoseconds=4, per_node=True),
    "median: vicinal": Rival(vicinal_median, nodes_first=False),
    "median: PyG": Rival(pyg_median, nanoseconds=450),
    "median: own loop": Rival(loop_median, False, nanoseconds=15, per_node=True),
}
if importlib.util.find_spec("torch_geometric") is None:
    RIVALS = {name: rival for name, rival in RIVALS.items() if "PyG" not in name}
