"""Paired differences to ReLU and to the linear controls, over the same seeds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from vicinal.experiments.cell import make_cell
from vicinal.experiments.settings import ModelSettings
from vicinal.experiments.statistics import Comparison, compare, holm
from vicinal.metrics import higher_is_better
from vicinal.report import labels
from vicinal.report.results import Group, Index, Section

__all__ = ["REFERENCES", "ComparisonLine", "ComparisonTable", "comparison_table"]

_PLAIN = {"model": "gnn", "pointwise": "none", "hops": 0}
_LOCAL = ("max", "median")
_TAPS = ModelSettings.model_fields["taps"].default

REFERENCES = {
    "ReLU": "ReLU",
    "no activation": "no activation at all",
    "linear twin": "their linear twin, the mean over the same neighbourhoods",
    "ReLU, more taps": "ReLU with as many more filter taps",
    "clipped ReLU": "ReLU of inputs that were clipped first",
    "clipped MLP": "an MLP of inputs that were clipped first",
}  # as a column's name, and in a sentence


@dataclass(frozen=True)
class ComparisonLine:
    """One configuration against each reference that was run; p-values are Holm's."""

    config_hash: str
    local: bool  # whether it is a network with a local activation
    model: str
    settings: tuple[str, ...]
    metric: str
    against: tuple[tuple[Comparison, float] | None, ...]  # and the adjusted p-value


@dataclass(frozen=True)
class ComparisonTable:
    """Lines that share their columns; a reference's column is a family of Holm's."""

    columns: tuple[str, ...]
    references: tuple[str, ...]
    lines: tuple[ComparisonLine, ...]


def comparison_table(
    section: Section, index: Index, run: dict[str, Any]
) -> ComparisonTable | None:
    """Compare each configuration of a section with ReLU and the controls.

    Args:
        section: Configurations and their rows.
        index: All rows: a reference may belong to another section.
        run: What is common to the experiment; baselines, which have settings of their
            own, are compared with the network of these.
    """
    found = [
        [_against(g, ref, index, run) for ref in REFERENCES] for g in section.groups
    ]
    used = [any(row[i] for row in found) for i in range(len(REFERENCES))]
    rows = [(g, row) for g, row in zip(section.groups, found, strict=True) if any(row)]
    if not rows:
        return None
    adjusted = _adjusted([row for _, row in rows])
    known = [labels.effective(group.settings) for group, _ in rows]
    columns = labels.varying([group.settings for group in section.groups])
    lines = []
    for (group, row), settings in zip(rows, known, strict=True):
        pairs = [(c, next(adjusted[i])) if c else None for i, c in enumerate(row)]
        against = tuple(p for p, use in zip(pairs, used, strict=True) if use)
        values = tuple(labels.value(settings[name]) for name in columns)
        name = labels.model(group.settings)
        key = group.rows[0].config_hash
        local = _is_local(group.settings)
        lines.append(ComparisonLine(key, local, name, values, group.metric, against))
    shown = tuple(r for r, use in zip(REFERENCES, used, strict=True) if use)
    names = tuple(name.replace("_", " ") for name in columns)
    return ComparisonTable(names, shown, tuple(lines))


def _against(
    group: Group, reference: str, index: Index, run: dict[str, Any]
) -> Comparison | None:
    changes = _changes(reference, group.settings)
    if changes is None:
        return None
    other = _reference(group.settings, changes, index, run)
    if other is None or other.settings == group.settings:
        return None
    if other.metric != group.metric:
        return None
    higher = higher_is_better(group.metric)
    found = compare(group.scores(), other.scores(), higher)
    return found if found.difference.n else None


def _adjusted(found: list[list[Comparison | None]]) -> list[Iterator[float]]:
    """Holm's p-values by reference; those of one reference are a family."""
    columns = zip(*found, strict=True)
    return [iter(holm([c.wilcoxon for c in column if c])) for column in columns]


def _reference(
    settings: dict[str, Any], changes: dict[str, Any], index: Index, run: dict[str, Any]
) -> Group | None:
    if settings["model"] == "gnn" and settings["activation"] == "relu":
        changes = changes | {"taps": run.get("taps", _TAPS), "layers": 1}
    found = index.group(settings | changes)
    same_task = settings["task"] == run.get("task")
    if found is None and settings["model"] != "gnn" and same_task:
        task = make_cell(settings, 0, "report").task.model_dump(mode="json")
        found = index.group(run | task | changes)
    return found


def _changes(reference: str, settings: dict[str, Any]) -> dict[str, Any] | None:
    """What makes the reference of a configuration; none where it would say nothing."""
    clipped = {"clip": True} if "clip" in settings else {}
    plain = _PLAIN | dict.fromkeys(clipped, False)
    relu = plain | {"activation": "relu"}
    local: dict[str, dict[str, Any] | None] = {
        "no activation": plain | {"activation": "identity"},
        "linear twin": {"activation": "mean"},
        "ReLU, more taps": relu | {"taps": settings["taps"] + settings["hops"]},
        "clipped ReLU": relu | clipped if clipped else None,
        "clipped MLP": relu | clipped | {"model": "mlp"} if clipped else None,
    }
    if reference == "ReLU":
        return relu
    return local[reference] if _is_local(settings) else None


def _is_local(settings: dict[str, Any]) -> bool:
    return settings["model"] == "gnn" and settings["activation"] in _LOCAL
