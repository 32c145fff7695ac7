"""Run the benchmark: ``python benchmarks/run.py [--quick] [--only W1,W4] [--out DIR]``.

Without ``--only`` all of it: activations on every workload, memory, growth, filters.
``--quick`` takes fewer hops and rounds and leaves out W7 and what is slow. What is done
is kept in ``DIR/steps.json``; ``--resume`` goes on from there, ``--report`` writes the
table of what is there.
"""

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.progress import TimeElapsedColumn as Elapsed

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import activations, filters, memory, report, sampled, scaling, timing
from benchmarks.workloads import available, make

QUICK_HOPS = {"W2": (1, 2), "W4": (1, 2)}


def steps(names, patience, folder, whole):
    """What is to be done: a label, a kind of table, and a function that gives rows.

    W7 comes last: it takes as long as all the others.
    """
    small = [name for name in names if name != "W7"]
    yield from _timings(small, patience)
    if whole:
        yield "growth", "scaling", lambda: scaling.measure(folder, patience)
    for case in filters.CASES:
        if case.split()[0] in names and not (patience.quick and "1->" in case):
            measure = partial(filters.measure, case, patience)
            yield f"filter {case}", "filters", measure
    yield from _peaks(small, patience)
    large = [name for name in names if name == "W7"]
    yield from _timings(large, patience)
    yield from _peaks(large, patience)


def _timings(names, patience):
    for name in names:
        hops = QUICK_HOPS.get(name, (1,)) if patience.quick else None
        label = name if hops is None else f"{name} K={','.join(map(str, hops))}"
        yield label, "activations", partial(_activations, name, hops, patience)


def _peaks(names, patience):
    for name in names if not patience.quick else ():
        if name in ("W6", "W7"):
            rivals = memory.NAMES if name == "W6" else memory.WHERE_ROOM
            yield f"memory {name}", "memory", partial(memory.measure, name, rivals)


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
    parser.add_argument("--resume", action="store_true", help="keep what is done")
    parser.add_argument("--report", action="store_true", help="only what is done")
    options = parser.parse_args()
    patience = timing.QUICK if options.quick else timing.FULL
    names = options.only.split(",") if options.only else available()
    if unknown := set(names) - set(available()):
        parser.error(f"unknown workloads {sorted(unknown)}, known: {available()}")
    if options.quick and not options.only:
        names.remove("W7")

    console = Console()
    kept = options.out / "steps.json"
    resume = (options.resume or options.report) and kept.is_file()
    done = json.loads(kept.read_text()) if resume else {}
    facts, started = report.machine(), time.perf_counter()
    planned = list(steps(names, patience, options.out, whole=not options.only))
    planned = [] if options.report else planned
    options.out.mkdir(parents=True, exist_ok=True)
    for label, kind, action in _shown(planned, console):
        if label in done:
            continue
        before = time.perf_counter()
        done[label] = {"kind": kind, "rows": action()}
        kept.write_text(json.dumps(done))
        if not console.is_terminal:
            print(f"{label}: {time.perf_counter() - before:.1f} s", flush=True)
    tables = {}
    for step in done.values():
        tables.setdefault(step["kind"], []).extend(step["rows"])
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
