"""Global RMSE on the publisher's splits side by side, and their mean."""

from collections.abc import Sequence
from statistics import fmean

from vicinal.report import labels
from vicinal.report.cost_texts import HEAD, cost_texts
from vicinal.report.plain_table import PlainTable
from vicinal.report.results import HEADLINE, Group, Section

__all__ = ["split_table"]

_SPLITS = ("u1", "u2", "u3", "u4", "u5")
_NOTE = (
    "Test RMSE of all ratings, answers clipped to 1..5 stars. The mean is given where "
    "all five splits are. The GNN holds a tenth of the training ratings out to choose "
    "its epoch; baselines are given with that tenth and without it. Of sRMGCNN the "
    "published number on u1 is 0.929 (Monti, Bronstein, Bresson)."
)


def split_table(sections: Sequence[Section]) -> PlainTable:
    """One line for each system, one column for each split.

    Args:
        sections: Of an experiment on all ratings at once.
    """
    groups = [g for s in sections for g in s.groups if g.settings["split"] in _SPLITS]
    names = labels.full_names([group.settings | {"split": ""} for group in groups])
    found: dict[tuple[str, str], dict[str, Group]] = {}  # by name and ratings
    for group, name in zip(groups, names, strict=True):
        trained, *_ = cost_texts(group.rows)
        found.setdefault((name, trained), {})[group.settings["split"]] = group
    rows = tuple(
        (*key, *_scores(by_split), *_costs(by_split)) for key, by_split in found.items()
    )
    head = ("system", "ratings trained on", *_SPLITS, "mean", *HEAD[1:])
    return PlainTable("Global RMSE on the publisher's splits", _NOTE, head, rows)


def _costs(by_split: dict[str, Group]) -> tuple[str, ...]:
    rows = [row for group in by_split.values() for row in group.rows]
    return cost_texts(rows)[1:]


def _scores(by_split: dict[str, Group]) -> list[str]:
    means = {
        name: fmean(group.scores(HEADLINE).values()) for name, group in by_split.items()
    }
    texts = [f"{means[name]:.4f}" if name in means else "–" for name in _SPLITS]
    whole = len(means) == len(_SPLITS)
    return [*texts, f"{fmean(means.values()):.4f}" if whole else "–"]
