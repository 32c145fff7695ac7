"""All rivals on one workload at one number of hops."""

import math

import torch

from benchmarks import timing
from benchmarks.rivals import RIVALS
from benchmarks.setting import Setting
from vicinal.kernels import checks, rank

YARDSTICK = "spmm"
OURS = ("max: vicinal", "median: vicinal")
BESIDE = ("ReLU", YARDSTICK, "spmm, iterated")  # also timed on two threads
FURTHER = 20  # beyond one hop only what is that much faster is worth waiting for
LONG = 10.0  # seconds: forward alone is not timed as well


def measure(workload, hops, patience=timing.FULL, names=None):
    """One row per rival: times on one and two threads, ratios to the yardstick."""
    setting = Setting(workload, hops)
    rows = [
        {"workload": workload.name, "hops": hops, "operator": name}
        for name in names or RIVALS
        if name != "spmm, batch first" or workload.batch > 1
    ]
    functions, skipped = {}, {}
    for name in (row["operator"] for row in rows):
        expected = RIVALS[name].estimate(setting)
        if math.isinf(expected):
            skipped[name] = "not run: does not fit into memory"
        elif expected > patience.hopeless / (1 if hops == 1 else FURTHER):
            skipped[name] = f"not run: an estimate is {expected:.2g} s"
        else:
            functions[name] = RIVALS[name].prepare(setting)
    times = _times(setting, functions, patience)
    checked = _checks(setting, patience)
    for row in rows:
        name = row["operator"]
        if name in skipped:
            row["note"] = skipped[name]
        else:
            row |= _columns(name, times) | checked.get(name, {})
    return rows


def _checks(setting, patience):
    """What the checks in front of the loops cost on every call, part of its time."""
    x, hops = setting.workload.draw(), setting.hops
    batch, num_nodes, features = x.shape
    nodes = torch.zeros(batch, hops * num_nodes, features, dtype=torch.int32)
    graph = setting.workload.graph
    structures = {OURS[0]: graph.neighborhoods(1), OURS[1]: setting.balls}

    def check(balls):
        checks.check_signal(x, 3)
        checks.check_csr(x, balls.indptr, balls.indices, num_nodes)
        checks.check_weight(x, setting.weight, hops * num_nodes)
        checks.check_rank(list(rank.UPPER_MEDIAN))
        checks.check_nodes(nodes, batch, features, num_nodes)

    calls = {
        name: lambda balls=balls: check(balls) for name, balls in structures.items()
    }
    with timing.threads(1):
        found = timing.interleaved(calls, patience)
    return {name: {"checks": 1e3 * t.cpu} for name, t in found.items()}


def _times(setting, functions, patience):
    """Timings by (mode, threads) and name; on two threads only what is fast enough."""
    x = setting.workload.draw().requires_grad_()
    forward, both = {}, {}
    for name, function in functions.items():
        own = RIVALS[name].lay_out(x.detach()).requires_grad_()
        forward[name] = timing.forward(function, own)
        both[name] = timing.forward_backward(function, own, [own, setting.weight])
    times = {}
    with timing.threads(1):
        found = times["f+b", 1] = timing.interleaved(both, patience)
        quick = {n: call for n, call in forward.items() if found[n].wall < LONG}
        times["f", 1] = timing.interleaved(quick, patience)
    few = (YARDSTICK, *OURS) if patience.quick else (*BESIDE, *OURS)
    fast = [n for n in few if n in found and found[n].wall < (10 if n in OURS else 1)]
    with timing.threads(2):
        times["f", 2] = timing.interleaved({n: forward[n] for n in fast}, patience)
        times["f+b", 2] = timing.interleaved({n: both[n] for n in fast}, patience)
    return times


def _columns(name, times):
    """What the table says of one rival; milliseconds."""
    columns = {}
    for (mode, threads), found in times.items():
        if name not in found:
            continue
        columns[f"{mode} cpu {threads}"] = 1e3 * found[name].cpu
        columns[f"{mode} wall {threads}"] = 1e3 * found[name].wall
        columns[f"{mode} rounds {threads}"] = found[name].rounds
    one = {mode: found for (mode, threads), found in times.items() if threads == 1}
    for mode, found in one.items():
        if name in found and YARDSTICK in found:
            columns[f"ratio {mode}"] = found[name].cpu / found[YARDSTICK].cpu
    if name in times["f+b", 2]:
        columns["two threads"] = one["f+b"][name].wall / times["f+b", 2][name].wall
    for other in ("max: segment_reduce", "median: PyG"):
        if name in OURS and other in one["f+b"]:
            columns[f"over {other}"] = one["f+b"][other].cpu / one["f+b"][name].cpu
    return columns
