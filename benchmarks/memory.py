"""Peak memory of one forward and backward pass, above the inputs, in a fresh process.

Inputs are the graph, its neighbourhoods, what a rival prepared, the signals and the
upstream gradient. Counted are the output, the gradient of the signals, all that is
kept for backward and all scratch. ``python -m benchmarks.memory W6 "max: vicinal"``
prints megabytes (10^6 bytes).
"""

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import torch

from benchmarks.rivals import RIVALS
from benchmarks.setting import Setting
from benchmarks.workloads import make

ROOT = Path(__file__).resolve().parents[1]
NAMES = (
    "ReLU", "spmm", "max: vicinal", "median: vicinal",
    "max: segment_reduce", "max: scatter_reduce", "max: PyG",
)  # fmt: skip
WHERE_ROOM = ("ReLU", "spmm", "max: vicinal", "median: vicinal")  # on W7


def measure(workload, names=NAMES):
    """Rows with the peak of each rival; every one in its own process."""
    rows = []
    for name in (n for n in names if n in RIVALS):
        found = subprocess.run(
            [sys.executable, "-m", "benchmarks.memory", workload, name],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        row = {"workload": workload, "hops": 1, "operator": name}
        if found.returncode:
            reason = found.stderr.strip().splitlines() or [f"code {found.returncode}"]
            rows.append(row | {"note": f"failed: {reason[-1]}"})
        else:
            rows.append(row | json.loads(found.stdout))
    return rows


def peak(workload, name):
    """Megabytes above the inputs: after forward, at the peak, and of the results."""
    setting, rival = Setting(workload, 1), RIVALS[name]
    assert setting.balls.hops == 1  # found once per graph, and kept by it
    function = rival.prepare(setting)
    x = rival.lay_out(workload.draw()).requires_grad_()
    upstream = torch.randn_like(x)
    _settle()
    before = _status("VmRSS")
    z = function(x)
    after = _status("VmHWM")
    gradients = torch.autograd.grad(z, [x, setting.weight], upstream, allow_unused=True)
    top = _status("VmHWM")
    results = 4e-6 * sum(t.numel() for t in (z, *gradients) if t is not None)
    return {
        "forward MB": after - before,
        "peak MB": top - before,
        "results MB": results,
    }


def _settle():
    """Give freed memory back to the system and forget the peak so far."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def _status(key):
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(key + ":"))
    return 1024e-6 * int(line.split()[1])


if __name__ == "__main__":
    torch.set_num_threads(1)
    peak(make("karate"), sys.argv[2])  # loads libraries, which are no extra memory
    print(json.dumps(peak(make(sys.argv[1]), sys.argv[2])))
