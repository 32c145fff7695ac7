"""Memory stays flat over many calls, in a process of its own."""

import subprocess
import sys

import pytest

from vicinal import kernels

pytestmark = [
    pytest.mark.skipif(
        kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
    ),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm"),
]

SCRIPT = """
import gc, os, torch
from vicinal import kernels
from vicinal.kernels import rank

torch.set_num_threads(1)
mask = torch.rand(30, 30, generator=torch.Generator().manual_seed(0)) < 0.3
indptr = torch.cat([torch.zeros(1), mask.sum(1).cumsum(0)]).long()
structure = indptr, mask.nonzero()[:, 1].int()
x = torch.randn(2, 30, 8, requires_grad=True)
weight = torch.randn(2, 8, requires_grad=True)

def calls(count):
    for _ in range(count):
        outputs = {call}
        outputs.sum().backward()
        x.grad = weight.grad = None

def resident():
    gc.collect()
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

calls(1000)
before = resident()
calls(10_000)
print(resident() - before)
"""
CALLS = {
    "select": "kernels.select(x, *structure, rank.UPPER_MEDIAN)[0]",
    "maxima": "kernels.maxima(x, *structure, 2)[0]",
    "combine": "kernels.combine(x, weight, *structure, rank.UPPER_MEDIAN)",
}


@pytest.mark.parametrize("name", CALLS)
def test_memory_is_flat_over_10_000_calls(name):
    script = SCRIPT.replace("{call}", CALLS[name])
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    grown = float(ran.stdout)  # one 2 kB signal leaked per call would be 20 MB
    assert grown < 4, f"{grown:.1f} MB more after 10,000 calls"
