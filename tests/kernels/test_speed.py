"""One coarse promise about time; figures are the business of the benchmark."""

import time

import pytest
import torch

import vicinal as vc
from vicinal import kernels
from vicinal.kernels import native, rank, reference


@pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)
def test_native_medians_are_five_times_faster_than_the_reference():
    graph = vc.graphs.erdos_renyi(100, 0.4, seed=1)  # W1, one hop
    balls = graph.neighborhoods(1)
    structure, x = (balls.indptr, balls.indices), torch.randn(100, 100, 32)

    def seconds(loops):
        begin = time.perf_counter()
        values, nodes = loops.select(x, *structure, list(rank.UPPER_MEDIAN), False)
        loops.scatter(values, nodes, 100)
        return time.perf_counter() - begin

    seconds(native)  # pages and caches
    pairs = [(seconds(native), seconds(reference)) for _ in range(4)]
    fast, slow = (min(times) for times in zip(*pairs, strict=True))
    assert slow >= 5 * fast, f"native {fast:.4f} s, reference {slow:.4f} s"
