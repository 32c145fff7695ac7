"""What was aimed at, and whether a row reaches it.

Times are forward and backward on one thread, relative to the sparse product over the
same neighbourhoods. A target is a claim, the value found, and whether it is met.
"""

from typing import NamedTuple

RATIO = {
    "max: vicinal": {"W1": 0.5, "W2": 1.0, "W3": 0.5, "W4": 1.0, "W5": 0.5, "W6": 0.75},
    "median: vicinal": {
        "W1": 1.0, "W2": 1.25, "W3": 1.0, "W4": 2.7, "W5": 1.6, "W6": 1.0,
    },
}  # fmt: skip
MEGABYTES = {"W6": 100.0, "W7": 700.0}
OURS = tuple(RATIO)
MODES = ("f", "f+b")
TWO_THREADS, WORTH_THREADS = 1.5, 5.0  # times faster, where one thread needs 5 ms


class Target(NamedTuple):
    """A claim and what became of it."""

    claim: str
    found: float
    met: bool

    def __str__(self):
        return f"{self.claim}: {'met' if self.met else 'MISSED'} ({self.found:.3g})"


def at_most(claim, found, limit):
    """The claim that a value stays below a limit."""
    return Target(f"{claim} ≤ {limit:g}", found, found <= limit)


def at_least(claim, found, limit):
    """The claim that a value reaches a limit."""
    return Target(f"{claim} ≥ {limit:g}", found, found >= limit)


def activation(row):
    """Targets of a row of the main table."""
    name, workload = row["operator"], row["workload"]
    if name not in OURS or "ratio f+b" not in row:
        return []
    if workload == "W6" and row["hops"] == 2:
        return [at_most(f"ratio {mode}", row[f"ratio {mode}"], 1.0) for mode in MODES]
    found = []
    if workload in RATIO[name]:
        found += _against_others(row, name.split(":")[0])
    if row.get("two threads") and row["f+b wall 1"] >= WORTH_THREADS:
        found.append(at_least("× two threads", row["two threads"], TWO_THREADS))
    return found


def _against_others(row, operator):
    limit = RATIO[row["operator"]][row["workload"]]
    found = [at_most("ratio", row["ratio f+b"], limit)]
    if operator == "max" and "over max: segment_reduce" in row:
        limit = 3 if (row["workload"], row["hops"]) == ("W4", 1) else 10
        times = row["over max: segment_reduce"]
        found.append(at_least("× segment_reduce", times, limit))
    if operator == "median" and "over median: PyG" in row:
        found.append(at_least("× PyG", row["over median: PyG"], 40))
    return found


def memory(row):
    """Targets of a row of the table of memory."""
    if row["operator"] not in OURS or "peak MB" not in row:
        return []
    return [at_most("peak MB", row["peak MB"], MEGABYTES[row["workload"]])]


def scaling(row):
    """Targets of a row of the table of slopes."""
    if row["study"].startswith("forward, nodes"):
        low, high = 0.9, 1.1
        met = low <= row["slope"] <= high
        return [Target(f"slope in [{low}, {high}]", row["slope"], met)]
    if row["study"] == "backward, degree":
        return [at_most("slope", row["slope"], 0.2)]
    return [at_least("linear, r²", row["linear r2"], 0.99)]


def filters(row):
    """Targets of a row of the table of filters."""
    if "vicinal" not in row["form"]:
        return []
    if row["case"] == "W4 1433->16":
        return [at_least("× dense powers", row["over dense powers"], 40)]
    return [at_most("to best", row["to best"], 1.1)]
