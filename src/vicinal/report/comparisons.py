"""Paired differences to ReLU and to the linear controls, over the same seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vicinal.experiments.cell import make_cell
from vicinal.experiments.statistics import Comparison, compare, holm
from vicinal.metrics import higher_is_better
from vicinal.report import labels
from vicinal.report.references import REFERENCES, is_local, reference
from vicinal.report.results import Group, Index, Section

__all__ = ["DECIDED", "ComparisonLine", "ComparisonTable", "comparison_table"]
__all__ += ["families"]

DECIDED = "as decided"  # the same with what [run] says, where a study varies that
_COLUMNS = (*REFERENCES, DECIDED)


@dataclass(frozen=True)
class ComparisonLine:
    """One configuration against each reference that was run; p-values are Holm's."""

    config_hash: str
    local: bool  # whether it is a network with a local activation
    model: str
    settings: tuple[str, ...]
    metric: str
    against: tuple[tuple[Comparison, float] | None, ...]  # and the adjusted p-value
    data: str = ""  # what was compared on the same data is a family of Holm's


@dataclass(frozen=True)
class ComparisonTable:
    """Lines that share their columns; Holm's families are of one data set."""

    columns: tuple[str, ...]
    references: tuple[str, ...]
    lines: tuple[ComparisonLine, ...]


def comparison_table(
    section: Section, index: Index, run: dict[str, Any], decided: Sequence[str] = ()
) -> ComparisonTable | None:
    """Compare each configuration of a section with ReLU and the controls.

    Args:
        section: Configurations and their rows.
        index: All rows: a reference may belong to another section.
        run: What is common to the experiment; baselines, which have settings of their
            own, are compared with the network of these.
        decided: Settings whose other values are compared with that of ``run``.
    """
    settings = [group.settings for group in section.groups]
    common = make_cell(run, 0, "report").settings if decided else {}
    usual = {name: common[name] for name in decided if name in common}
    columns = labels.varying(settings)
    values = labels.cells(settings, columns)
    found = [
        [_against(g, ref, section, index, run, usual) for ref in _COLUMNS]
        for g in section.groups
    ]
    places = [place for place, row in enumerate(found) if any(row)]
    if not places:
        return None
    data = [_data(settings[place]) for place in places]
    used = [i for i in range(len(_COLUMNS)) if any(row[i] for row in found)]
    against = [_adjusted([found[place][i] for place in places], data) for i in used]
    lines = tuple(
        ComparisonLine(
            section.groups[place].config_hash,
            is_local(settings[place]),
            labels.model(settings[place]),
            values[place],
            section.groups[place].metric,
            pairs,
            family,
        )
        for place, pairs, family in zip(
            places, zip(*against, strict=True), data, strict=True
        )
    )
    names = tuple(name.replace("_", " ") for name in columns)
    return ComparisonTable(names, tuple(_COLUMNS[i] for i in used), lines)


def families(data: Sequence[str]) -> list[list[int]]:
    """Places of what is of the same data set.

    Example:
        >>> families(["grid", "tree", "grid"])
        [[0, 2], [1]]
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(data):
        places.setdefault(name, []).append(place)
    return list(places.values())


def _against(
    group: Group,
    name: str,
    section: Section,
    index: Index,
    run: dict[str, Any],
    usual: dict[str, Any],
) -> Comparison | None:
    if name == DECIDED:
        own = {n: value for n, value in usual.items() if n in group.settings}
        other = index.group(group.settings | own) if own else None
    else:
        other = reference(group, name, section, index, run)
    if other is None or other.settings == group.settings:
        return None
    if other.metric != group.metric:
        return None
    higher = higher_is_better(group.metric)
    found = compare(group.scores(), other.scores(), higher)
    return found if found.difference.n else None


def _adjusted(
    compared: Sequence[Comparison | None], data: Sequence[str]
) -> list[tuple[Comparison, float] | None]:
    """Comparisons with one reference, and Holm's p-value within each data set."""
    adjusted: list[tuple[Comparison, float] | None] = [None] * len(compared)
    for places in families(data):
        known = [(i, found) for i in places if (found := compared[i]) is not None]
        p_values = holm([found.wilcoxon for _, found in known])
        for (i, found), p in zip(known, p_values, strict=True):
            adjusted[i] = (found, p)
    return adjusted


def _data(settings: dict[str, Any]) -> str:
    """What tells data sets apart: the settings of the task."""
    return repr([(k, v) for k, v in settings.items() if labels.of_task(k)])
