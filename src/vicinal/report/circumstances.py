"""What the reproducibility checklists ask for, gathered from the rows of a table."""

from collections.abc import Iterator, Sequence
from typing import Any

from vicinal.datasets import catalog
from vicinal.experiments.row import Row
from vicinal.experiments.settings import READ
from vicinal.report import labels
from vicinal.report.data_facts import facts_text
from vicinal.report.results import Section

__all__ = ["circumstances"]

_SAID = ("task", "seed")
_TRAINED = ("epochs", "learning_rate", "weight_decay")
_FIXED = {  # what systems that are not trained by epochs set for themselves
    "amplitude": "the training mean of each class that is nearest on <v1, x>",
    "bayes": "knows the graph, the sources, the times and the noise",
    "burrows-delta": "z-scored counts",
    "constant": "the most frequent class, or the mean, of training",
    "cosine-delta": "z-scored counts, two profiles",
    "linear-svm": "z-scored counts, C by five folds of training, at most 500 steps",
    "logistic-regression": "standardised inputs, L-BFGS, C 10000, at most 500 steps",
    "median-filter": "1 hop; where classes are asked for, 1-NN of the medians",
    "median-ridge": "its hops, at least 1; the penalty by validation signals",
    "nearest-neighbor": "Euclidean distance",
    "word-logistic": "z-scored counts, C by five folds of training, at most 500 steps",
}
_FEW = 12  # sizes that are listed one by one


def circumstances(section: Section) -> list[tuple[str, str]]:
    """Name and text of each fact: hardware, hours, seeds, settings, data, versions."""
    rows = section.rows
    facts = [
        ("Hardware", _distinct(rows, "machine")),
        ("Computing time", _hours(rows)),
        ("Seeds", _seeds(section)),
        ("Network and training", _common(section, task=False)),
        ("Task", _common(section, task=True)),
        ("Trainable parameters", _parameters(section)),
        ("Data", _data(rows)),
        ("Facts of the data", facts_text(section)),
        ("Software", _software(rows)),
    ]
    return [(name, text) for name, text in facts if text]


def _distinct(rows: Sequence[Row], name: str) -> str:
    found = {str(row.result[name]) for row in rows if row.result.get(name)}
    return "; ".join(sorted(found))


def _hours(rows: Sequence[Row]) -> str:
    seconds = [row.result.get("seconds", 0.0) for row in rows]
    loading = sum(row.result.get("load_seconds", 0.0) for row in rows)
    total = sum(seconds)
    hours = f"{total / 3600:.2f} core hours" if total >= 360 else f"{total:.0f} s"
    mean = total / len(seconds)
    runs = f"{hours} for {len(rows)} runs on one thread each"
    return f"{runs} ({mean:.1f} s a run, and {loading:.0f} s to make the data)"


def _seeds(section: Section) -> str:
    counts = sorted({len(group.rows) for group in section.groups})
    seeds = sorted({row.seed for row in section.rows})
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    ran = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"{seeds[0]}"
    same = "one seed draws all that is random, and the same for every model"
    return f"{many} a configuration, seeds {ran}; {same}"


def _common(section: Section, task: bool) -> str:
    """Settings that all configurations share; those that vary are columns."""
    settings = [labels.effective(group.settings) for group in section.groups]
    own = [one for one in settings if one["model"] == "gnn"] or settings
    shared = [
        _setting(name, given)
        for name, given in own[0].items()
        if labels.of_task(name) == task and name not in _SAID
        if all(one.get(name) == given for one in own)
    ]
    rivals = [] if task else _rivals(settings, own[0])
    return "; ".join([", ".join(shared), *rivals])


def _setting(name: str, given: Any) -> str:
    return f"{name.replace('_', ' ')} {labels.value(given)}"


def _rivals(settings: Sequence[dict[str, Any]], own: dict[str, Any]) -> Iterator[str]:
    """What other systems set: on the data, of the model, to be trained."""
    for model in dict.fromkeys(one["model"] for one in settings):
        others = [one for one in settings if one["model"] == model]
        if model in READ:
            names = [*_other_data(others, own), *READ[model], *_TRAINED]
            shared = [n for n in names if all(one[n] == others[0][n] for one in others)]
            told = map(_setting, shared, (others[0][n] for n in shared))
            yield f"{labels.model(others[0])}: {', '.join(told)}"
        elif model in _FIXED:
            yield f"{labels.model(others[0])}: {_FIXED[model]}"


def _other_data(others: Sequence[dict[str, Any]], own: dict[str, Any]) -> Iterator[str]:
    """Settings of the data that only these rivals have."""
    names = (name for name in others[0] if labels.of_task(name) and name not in _SAID)
    return (name for name in names if others[0][name] != own.get(name))


def _parameters(section: Section) -> str:
    """Of each network; of many the smallest and the largest."""
    names = labels.full_names([group.settings for group in section.groups])
    by_size: dict[int, list[str]] = {}
    for name, group in zip(names, section.groups, strict=True):
        total = group.rows[0].result["parameters"].get("total", 0)
        if total and name not in by_size.setdefault(total, []):
            by_size[total].append(name)
    if len(by_size) > _FEW:
        return f"{min(by_size):,} to {max(by_size):,}"
    return "; ".join(f"{', '.join(n)}: {size:,}" for size, n in by_size.items() if n)


def _data(rows: Sequence[Row]) -> str:
    return " ".join(
        _origin(checksum) for checksum in sorted({row.data for row in rows})
    )


def _origin(checksum: str) -> str:
    if not checksum:
        return "drawn from the seed; no file is read, no terms apply"
    for data in catalog.CATALOG.values():
        own = [catalog.checksum(data.name, optional) for optional in (False, True)]
        if checksum in (*own, *data.joint):
            place = f"{data.title} ({data.homepage}), checksum {checksum[:16]}"
            return f"{place}; terms: {data.terms}; cite: {data.citation}"
    return f"files of checksum {checksum[:16]}, which this version's catalogue lacks"


def _software(rows: Sequence[Row]) -> str:
    named = {"library": "vicinal", "torch": "torch", "kernels": "kernels"}
    return ", ".join(
        f"{label} {text}"
        for key, label in named.items()
        if (text := _distinct(rows, key))
    )
