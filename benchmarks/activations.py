"""All rivals on one workload at one number of hops."""

from benchmarks import timing
from benchmarks.rivals import RIVALS
from benchmarks.setting import Setting

YARDSTICK = "spmm"
OURS = ("max: vicinal", "median: vicinal")


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
        if expected > patience.hopeless:
            skipped[name] = f"left out: about {expected:.0f} s or too much memory"
        else:
            functions[name] = RIVALS[name].prepare(setting)
    times = _times(setting, functions, patience)
    for row in rows:
        name = row["operator"]
        if name in skipped:
            row["note"] = skipped[name]
        else:
            row |= _columns(name, times)
    return rows


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
        times["f", 1] = timing.interleaved(forward, patience)
        times["f+b", 1] = timing.interleaved(both, patience)
    found = times["f+b", 1]
    fast = [n for n, t in found.items() if t.wall < (10 if n in OURS else 1)]
    if patience.quick:  # fewer, and faster ones
        fast = [n for n in fast if n in (*OURS, YARDSTICK) and found[n].wall < 1]
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
    if YARDSTICK in one["f"]:
        columns["ratio f"] = one["f"][name].cpu / one["f"][YARDSTICK].cpu
        columns["ratio f+b"] = one["f+b"][name].cpu / one["f+b"][YARDSTICK].cpu
    if name in times["f+b", 2]:
        columns["two threads"] = one["f+b"][name].wall / times["f+b", 2][name].wall
    for other in ("max: segment_reduce", "median: PyG"):
        if name in OURS and other in one["f+b"]:
            columns[f"over {other}"] = one["f+b"][other].cpu / one["f+b"][name].cpu
    return columns
