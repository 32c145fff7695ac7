"""Tables III to VI of the paper, ours beside the printed numbers, and what it costs."""

import math

from vicinal.experiments.config import Experiment
from vicinal.experiments.statistics import summarize
from vicinal.report import labels
from vicinal.report.cost_texts import cost_texts, mean_text
from vicinal.report.plain_table import PlainTable
from vicinal.report.rating_results import (
    FEW,
    LOCAL,
    RatingResults,
    best_split,
    ratings_read,
)

__all__ = ["filter_names", "rating_tables"]

_PRINTED = ("relu", "max", "median")  # by the paper
_SHOWN = (*_PRINTED, "identity", "mean", "relu, 6 taps")
_NAMES = {"relu": "ReLU", "max": "1-hop max", "median": "1-hop median"}
_NAMES |= {"identity": "no activation", "mean": "1-hop mean"}
_NAMES |= {"relu, 6 taps": "ReLU, 6 taps"}
_NAMES |= {"constant": "the target's most frequent stars"}
_POOLED = (
    "Ours are means over splits ± standard error. The paper's numbers of samples "
    "beside means of targets belong to no split: they are the tenth, rounded down, of "
    "the pooled number of ratings, and the rest."
)
_ANSWERS = (
    "A network has a share for each number of stars. The likeliest number is taken, as "
    "the authors' code did; “expected” takes the mean of the numbers with these shares."
)
_SELECTED = (
    "The split of each line is the one where the better local activation is ahead of "
    "ReLU by most. That selects on test ratings, in favour of local activations, as "
    "the paper does; means over all splits are in the next table."
)


def rating_tables(experiment: Experiment, found: RatingResults) -> list[PlainTable]:
    """All tables of a movie experiment.

    Args:
        experiment: What the paper printed.
        found: What was run.
    """
    tables = [
        _by_target(experiment, found),
        _on_best_split(experiment, found),
        _costs(found),
    ]
    return [table for table in tables if table.rows]


def filter_names(found: RatingResults) -> list[str]:
    """The filters that the paper compares with: all of users, three taps of movies."""
    users = [name for name in found.scores if name.startswith("user-filter ")]
    return users or [name for name in found.scores if name == "item-filter 3"]


def _by_target(experiment: Experiment, found: RatingResults) -> PlainTable:
    printed = experiment.published
    values = {(r["target"], r["activation"]): r["value"] for r in printed["rows"]}
    titles = {r["target"]: r.get("note", "") for r in printed["rows"]}
    samples = {r["target"]: f"{r['train']} / {r['test']}" for r in printed["samples"]}
    rows = []
    for target in found.targets:
        theirs = {name: values.get((target, name)) for name in _PRINTED}
        name = f"{target} {titles.get(target, '')}".strip()
        counts = (_samples(found, target), samples.get(target, "–"))
        rows.append((name, *_cells(found, [target], theirs), *counts))
    for mean in printed["means"]:
        first = found.targets[: mean["first"]]
        if len(first) < mean["first"]:
            continue
        pooled = f"{mean['train']} / {mean['test']}"
        cells = _cells(found, first, {name: mean.get(name) for name in _PRINTED})
        rows.append((f"mean of {mean['first']}", *cells, "–", pooled))
    head = ("target", *_columns(found), "train / test", "in the paper")
    title = f"Table {printed['table']}: test RMSE on all splits"
    note = f"{_ANSWERS} {_POOLED}"
    return PlainTable(title, note, head, tuple(rows))


def _columns(found: RatingResults) -> list[str]:
    columns = []
    for name in (one for one in _SHOWN if one in found.scores):
        columns.append(_NAMES[name] + (": ours | paper" if name in _PRINTED else ""))
        columns += [f"{_NAMES[name]}, expected"] if name in found.expected else []
    return columns


def _cells(
    found: RatingResults, targets: list[int], theirs: dict[str, float | None]
) -> list[str]:
    """Means of the likeliest class beside the paper's, each before its expectation."""
    cells = []
    for name in (one for one in _SHOWN if one in found.scores):
        ours = _over_splits(found.by_split(name, targets))
        beside = f" | {_text(theirs[name])}" if name in theirs else ""
        cells.append(ours + beside)
        if name in found.expected:
            cells.append(_over_splits(found.by_split(name, targets, expected=True)))
    return cells


def _on_best_split(experiment: Experiment, found: RatingResults) -> PlainTable:
    printed = experiment.published
    rows = []
    for row in printed["best"]:
        target = row["target"]
        split = best_split(found, target)
        if split is None:
            continue
        systems = (list(LOCAL), filter_names(found), ["srmgcnn"])
        ours = [_on_split(found, names, target, split) for names in systems]
        theirs = (row["local"], row["filters"], row["srmgcnn"])
        cells = [_both(a, b) for a, b in zip(ours, theirs, strict=True)]
        rows.append((str(target), str(split), *cells))
    names = ("local, the better", "Huang et al.", "Monti et al.")
    head = ("target", "split", *(f"{name}: ours | paper" for name in names))
    title = f"Table {printed['best_table']}: one split, chosen on test ratings"
    return PlainTable(title, _SELECTED, head, tuple(rows))


def _on_split(
    found: RatingResults, names: list[str], target: int, split: int
) -> float | None:
    """The smallest score of some systems on a split."""
    known = [found.scores.get(name, {}).get(target, {}).get(split) for name in names]
    return min((score for score in known if score is not None), default=None)


def _costs(found: RatingResults) -> PlainTable:
    rows = []
    for name in found.rows:
        runs = found.rows_of(name, found.targets[:FEW])
        learned, counts, seconds, asked = cost_texts(runs)
        rows.append(
            (
                _shown(name),
                _over_splits(found.by_split(name, found.targets[:FEW])),
                _over_splits(found.by_split(name, found.targets)),
                counts,
                learned,
                mean_text((ratings_read(row.result) for row in runs), ",.0f"),
                seconds,
                asked,
            )
        )
    head = ("system", "first 5 targets", "all targets", "parameters")
    ratings = ("ratings fitted to", "ratings read")
    more = (*ratings, "seconds to train", "seconds per prediction")
    note = (
        "Means over targets, and over splits ± standard error. Costs are those of the "
        f"first {FEW} targets, on which every system was run. Networks are trained "
        "once per target: parameters (convolution, readout, both) and seconds are "
        "those of one target. They are fitted to its ratings, but their graph and "
        "their signals are made of all ratings of the training part. The others are "
        "fitted once for all targets. To predict is to look an entry up where the "
        "whole matrix was completed, as sRMGCNN does."
    )
    title = "Every system on all splits, and its cost"
    return PlainTable(title, note, head + more, tuple(rows))


def _shown(system: str) -> str:
    """A system as a reader calls it.

    Example:
        >>> _shown("user-filter 3"), _shown("rating-svd")
        ('user filter, 3 taps', 'SVD')
    """
    model, _, taps = system.partition(" ")
    if taps.isdecimal():
        return f"{_shown(model)}, {taps} tap{'' if taps == '1' else 's'}"
    return _NAMES.get(system, labels.model({"model": system}))


def _samples(found: RatingResults, target: int) -> str:
    for row in found.rows_of("relu", [target]):
        facts = row.result["data_facts"]
        return f"{facts.get('train', '–')} / {facts.get('test', '–')}"
    return "–"


def _over_splits(scores: dict[int, float]) -> str:
    """Mean and standard error; a dash of none."""
    if not scores:
        return "–"
    found = summarize(list(scores.values()))
    return _text(found.mean) + ("" if math.isnan(found.se) else f" ± {found.se:.4f}")


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _both(ours: float | None, theirs: float | None) -> str:
    return f"{_text(ours)} | {_text(theirs)}"
