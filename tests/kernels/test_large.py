"""Large structures: integer ranks beyond float32, and memory that a hub cannot blow."""

import subprocess
import sys

import pytest
import torch

from vicinal import kernels
from vicinal.kernels import rank

NUM_NODES = 1000
NUM_ROWS = 2**23 + 1000  # two entries each: past 2^24, where float32 counts in twos


@pytest.fixture(scope="module")
def pairs():
    """One row of one node, then rows of two: every pair starts at an odd offset."""
    low = torch.arange(NUM_ROWS) * 7 % (NUM_NODES - 1)
    indices = torch.stack([low, low + 1], 1).flatten().to(torch.int32)
    indices = torch.cat([torch.zeros(1, dtype=torch.int32), indices])
    indptr = torch.cat([torch.zeros(1).long(), torch.arange(1, 2 * NUM_ROWS + 2, 2)])
    assert indptr[-1] == indices.numel() > 2**24
    return indptr, indices, low


@pytest.mark.parametrize("rule", [rank.UPPER_MEDIAN, rank.LOWER_MEDIAN, rank.MAX])
def test_ranks_are_right_beyond_2_to_24_entries(pairs, rule):
    indptr, indices, low = pairs
    x = torch.randn(NUM_NODES)
    values, nodes = kernels.select(x.view(1, -1, 1), indptr, indices, rule)
    larger = torch.where(x[low] >= x[low + 1], low, low + 1)
    smaller = torch.where(x[low] <= x[low + 1], low, low + 1)
    expected = smaller if rule == rank.LOWER_MEDIAN else larger
    assert nodes[0, 0, 0] == 0
    assert nodes[0, 1:, 0].equal(expected.int())
    assert values[0, 1:, 0].equal(x[expected])


def test_gradients_are_right_beyond_2_to_24_entries(pairs):
    indptr, indices, low = pairs
    x = torch.randn(NUM_NODES, dtype=torch.float64, requires_grad=True)
    values, _ = kernels.select(x.view(1, -1, 1), indptr, indices, rank.UPPER_MEDIAN)
    values.sum().backward()
    chosen = torch.where(x[low] >= x[low + 1], low, low + 1)
    expected = torch.bincount(chosen, minlength=NUM_NODES)
    expected[0] += 1  # the row of one node
    assert x.grad.equal(expected.double())


HUB = """
import resource, torch
from vicinal import kernels
from vicinal.kernels import rank

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

num_nodes, batch, features = 300_000, {batch}, {features}
tail = num_nodes - 1  # node 0 hears everyone, the others hear their predecessor
indptr = torch.cat([torch.zeros(1).long(), torch.arange(num_nodes) + num_nodes])
indices = torch.cat([torch.arange(num_nodes), torch.arange(tail)]).int()
x = torch.randn(batch, num_nodes, features, requires_grad={gradient})
small = torch.randn(1, 2, 1, requires_grad={gradient})  # load what torch loads once
warm = (small, torch.tensor([0, 2, 3]), torch.tensor([0, 1, 0]).int())
for operator in ("select", "select_shared"):
    y = getattr(kernels, operator)(*warm, rank.UPPER_MEDIAN)[0]
    y.sum().backward() if {gradient} else None
kernels.maxima(*warm, 2)
before = peak()
values, nodes = {call}
kept = values.numel() * 4 + nodes.numel() * 4
if {gradient}:
    values.backward(values.detach())
    kept += x.grad.numel() * 4
print((peak() - before - kept) / 2**20)
"""

SELECT = "kernels.{}(x, indptr, indices, rank.UPPER_MEDIAN)"
CALLS = {
    "select": SELECT.format("select"),
    "select_shared": SELECT.format("select_shared"),
    "maxima": "kernels.maxima(x, indptr, indices, 2)",
}


def extra_memory(name, batch, features, gradient):
    """Mebibytes beyond inputs and results, of a process that does nothing else."""
    script = HUB.format(
        call=CALLS[name], batch=batch, features=features, gradient=gradient
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return float(ran.stdout)


@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_a_hub_of_300_000_neighbours_takes_at_most_256_mb_more(name, gradient):
    assert extra_memory(name, 4, 8, gradient) <= 256
