"""Large structures: integer ranks beyond float32, and memory that a hub cannot blow."""

import json
import os
import subprocess
import sys

import pytest
import torch

from vicinal import kernels
from vicinal.kernels import rank

NUM_NODES = 1000
NUM_ROWS = 2**23 + 1000  # two entries each: past 2^24, where float32 counts in twos


def pairs():
    """One row of one node, then rows of two: every pair starts at an odd offset."""
    low = torch.arange(NUM_ROWS) * 7 % (NUM_NODES - 1)
    indices = torch.stack([low, low + 1], 1).flatten().to(torch.int32)
    indices = torch.cat([torch.zeros(1, dtype=torch.int32), indices])
    indptr = torch.cat([torch.zeros(1).long(), torch.arange(1, 2 * NUM_ROWS + 2, 2)])
    assert indptr[-1] == indices.numel() > 2**24
    return indptr, indices, low


def test_medians_are_right_beyond_2_to_24_entries():
    indptr, indices, low = pairs()
    x = torch.randn(NUM_NODES, dtype=torch.float64, requires_grad=True)
    signal = x.view(1, -1, 1)
    values, nodes = kernels.select(signal, indptr, indices, rank.UPPER_MEDIAN)
    larger = torch.where(x[low] >= x[low + 1], low, low + 1)
    assert nodes[0, 0, 0] == 0
    assert nodes[0, 1:, 0].equal(larger.int())
    assert values[0, 1:, 0].equal(x[larger])
    values.sum().backward()
    times_chosen = torch.bincount(larger, minlength=NUM_NODES)
    times_chosen[0] += 1  # the row of one node
    assert x.grad.equal(times_chosen.double())


HUB = """
import ctypes, json, torch
from vicinal import kernels
from vicinal.kernels import rank

def status(key):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(key))

def start():
    ctypes.CDLL(None).malloc_trim(0)  # what was freed is not held against us
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts again from now
    return status("VmRSS")

def extra(call, structure, shape):
    x = torch.randn(shape, requires_grad=True)
    before = start()
    values, nodes = call(x, *structure)
    results = values.nbytes + nodes.nbytes
    forward = status("VmHWM") - before - results / 2**20
    before = start()
    values.backward(values.detach())
    return forward, status("VmHWM") - before - x.grad.nbytes / 2**20

nodes = torch.arange(300_000)  # node 0 hears everyone, the others their predecessor
indptr = torch.cat([nodes[:1], nodes + 300_000])
hub = indptr, torch.cat([nodes, nodes[:-1]]).int()
small = torch.tensor([0, 2, 3]), torch.tensor([0, 1, 0]).int()
calls = {
    "select": lambda *given: kernels.select(*given, rank.UPPER_MEDIAN),
    "select_shared": lambda *given: kernels.select_shared(*given, rank.UPPER_MEDIAN),
    "maxima": lambda *given: kernels.maxima(*given, 2),
}
found = {}
for name, call in calls.items():
    extra(call, small, (1, 2, 1))  # what torch loads once is not counted
    found[name] = extra(call, hub, (2, 300_000, 16))
print(json.dumps(found))
"""


@pytest.fixture(scope="module", params=["reference", "auto"])
def extra_memory(request):
    """Mebibytes beyond inputs and results, forward and backward, in a fresh process."""
    ran = subprocess.run(
        [sys.executable, "-c", HUB],
        env={**os.environ, "VICINAL_KERNELS": request.param},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/status")
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("name", ["select", "select_shared", "maxima"])
def test_a_hub_of_300_000_neighbours_takes_at_most_256_mb_more(
    extra_memory, name, direction
):
    forward, backward = extra_memory[name]
    assert (forward if direction == "forward" else backward) <= 256
