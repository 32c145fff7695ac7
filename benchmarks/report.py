"""The table: Markdown for people, JSON for programs; and the machine it ran on."""

import json
import platform
from importlib import metadata
from pathlib import Path

import torch

from benchmarks import targets
from benchmarks.timing import load
from vicinal import kernels

LIBRARIES = ("vicinal", "torch", "numpy", "scipy", "torch-geometric")
NOTES = """\
f: forward without a gradient; f+b: forward and backward, with the gradients of the
signals and of the weights. 1 thread: CPU time; 2 threads: wall time. Medians of
interleaved rounds in one process; * timed once. Ratios are to `spmm`, torch's CSR
product over the same neighbourhoods with its transpose made ahead, on one thread; it is
fed signals that lie nodes first in memory, so it pays for no transpose. `spmm,
iterated` is the linear filter S(Sx). `own loop` is a plain loop over the nodes, written
for this comparison; what it says where it was not run is an estimate. The checks in
front of the loops run on every call and are part of its time."""

COLUMNS = {
    "activations": {
        "workload": "workload", "K": "hops", "operator": "operator",
        "f, ms": "f cpu 1", "f+b, ms": "f+b cpu 1",
        "f, 2 threads": "f wall 2", "f+b, 2 threads": "f+b wall 2",
        "ratio f": "ratio f", "ratio f+b": "ratio f+b",
        "of which checks, ms": "checks", "× two threads": "two threads",
        "× segment_reduce": "over max: segment_reduce", "× PyG median":
        "over median: PyG", "targets": "targets", "note": "note",
    },
    "memory": {
        "workload": "workload", "K": "hops", "operator": "operator",
        "forward, MB": "forward MB", "peak f+b, MB": "peak MB",
        "of which results": "results MB", "targets": "targets", "note": "note",
    },
    "scaling": {
        "study": "study", "operator": "operator", "log-log slope": "slope",
        "linear r²": "linear r2", "targets": "targets",
    },
    "filters": {
        "bank": "case", "form": "form", "f+b, ms": "f+b cpu 1", "to best": "to best",
        "× dense powers": "over dense powers", "targets": "targets",
    },
}  # fmt: skip
TITLES = {
    "activations": "Activations",
    "memory": "Peak memory above the inputs, one hop",
    "scaling": "Growth of vicinal's times, one thread",
    "filters": "Filter bank, five taps, forward and backward, one thread",
}
JUDGES = {
    "activations": targets.activation,
    "memory": targets.memory,
    "scaling": targets.scaling,
    "filters": targets.filters,
}


def machine():
    """Where this runs."""
    return {
        "processor": _processor(),
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: _version(name) for name in LIBRARIES},
        "kernels": kernels.active_path(),
        "threads": f"1 and 2 (torch would use {torch.get_num_threads()})",
        "load average": load(),
    }


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def _version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def judged(tables):
    """The same tables, every row with what became of its targets."""
    return {
        kind: [row | {"targets": [t._asdict() | {"says": str(t)} for t in judge(row)]}
               for row in tables[kind]]
        for kind, judge in JUDGES.items() if tables.get(kind)
    }  # fmt: skip


def write(facts, tables, folder):
    """Write ``benchmark.md`` and ``benchmark.json``; return what was missed."""
    tables = judged(tables)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = {"machine": facts, **tables}
    (folder / "benchmark.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / "benchmark.md").write_text(markdown(facts, tables))
    return [
        f"{_label(row)}: {target['says']}"
        for rows in tables.values()
        for row in rows
        for target in row["targets"]
        if not target["met"]
    ]


def _label(row):
    keys = ("workload", "case", "study", "hops", "operator", "form")
    return " ".join(str(row[key]) for key in keys if key in row)


def markdown(facts, tables):
    """All tables as one page."""
    lines = ["# Benchmark", ""]
    lines += [f"- {name}: {fact}" for name, fact in facts.items()]
    lines += ["", NOTES]
    for kind, rows in tables.items():
        used = {
            title: key
            for title, key in COLUMNS[kind].items()
            if any(row.get(key) not in (None, "", []) for row in rows)
        }
        lines += ["", f"## {TITLES[kind]}", "", _line(used), _line(["---"] * len(used))]
        lines += [_line(_cell(row, key) for key in used.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _cell(row, key):
    value = row.get(key)
    if value is None:
        return ""
    if key == "targets":
        return "; ".join(target["says"] for target in value)
    once = row.get(key.replace("cpu", "rounds").replace("wall", "rounds")) == 1
    mark = " *" if once and ("cpu" in key or "wall" in key) else ""
    return f"{_number(value)}{mark}" if isinstance(value, float) else str(value)


def _number(value):
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
