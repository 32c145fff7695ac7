"""Run the benchmark: ``python benchmarks/run.py [--quick] [--only W1,W4] [--out DIR]``.

Without ``--only`` all of it: activations on every workload, memory, growth, filters.
``--quick`` takes fewer hops and rounds and leaves out W7 and what is slow.
"""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.progress import TimeElapsedColumn as Elapsed

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import activations, filters, memory, report, sampled, scaling, timing
from benchmarks.workloads import available, make

QUICK_HOPS = {"W2": (1, 2), "W4": (1, 2)}


def steps(names, patience, folder, whole):
    """What is to be done: a label, a kind of table, and a function that gives rows."""
    for name in names:
        hops = QUICK_HOPS.get(name, (1,)) if patience.quick else None
        label = name if hops is None else f"{name} K={','.join(map(str, hops))}"
        yield (
            label,
            "activations",
            lambda name=name, hops=hops: _activations(name, hops, patience),
        )
    for name in names if not patience.quick else ():
        if name in ("W6", "W7"):
            rivals = memory.NAMES if name == "W6" else memory.WHERE_ROOM
            yield (
                f"memory {name}",
                "memory",
                lambda name=name, rivals=rivals: memory.measure(name, rivals),
            )
    if whole:
        yield "growth", "scaling", lambda: scaling.measure(folder, patience)
    for case in filters.CASES:
        if case.split()[0] in names and not (patience.quick and "1->" in case):
            yield (
                f"filter {case}",
                "filters",
                lambda case=case: filters.measure(case, patience),
            )


def _activations(name, hops, patience):
    workload = make(name)
    rows = []
    for k in hops or workload.hops:
        rows += activations.measure(workload, k, patience)
    if name == "W6":
        rows += sampled.measure(workload, 50 if patience.quick else 1000, patience)
    return rows


def main():
    """Read the arguments, run, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="under three minutes")
    parser.add_argument("--only", help="workloads, separated by commas")
    parser.add_argument("--out", type=Path, default=Path("output"))
    options = parser.parse_args()
    patience = timing.QUICK if options.quick else timing.FULL
    names = options.only.split(",") if options.only else available()
    if unknown := set(names) - set(available()):
        parser.error(f"unknown workloads {sorted(unknown)}, known: {available()}")
    if options.quick and not options.only:
        names.remove("W7")

    console = Console()
    facts, tables, started = report.machine(), {}, time.perf_counter()
    planned = list(steps(names, patience, options.out, whole=not options.only))
    for label, kind, action in _shown(planned, console):
        before = time.perf_counter()
        tables.setdefault(kind, []).extend(action())
        if not console.is_terminal:
            print(f"{label}: {time.perf_counter() - before:.1f} s", flush=True)
    facts["load average at the end"] = timing.load()
    facts["seconds"] = round(time.perf_counter() - started)
    missed = report.write(facts, tables, options.out)
    for line in missed:
        console.print(f"missed: {line}", highlight=False)
    console.print(f"{facts['seconds']} s; table: {options.out / 'benchmark.md'}")


def _shown(planned, console):
    """The steps, one after the other, with a bar on a terminal."""
    if not console.is_terminal:
        yield from planned
        return
    columns = (TextColumn("{task.description:16}"), BarColumn())
    with Progress(*columns, MofNCompleteColumn(), Elapsed(), console=console) as bar:
        task = bar.add_task("", total=len(planned))
        for step in planned:
            bar.update(task, description=step[0])
            yield step
            bar.advance(task)


if __name__ == "__main__":
    main()
