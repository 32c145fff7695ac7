"""Facts of the data, such as degrees: ours, by data set, and the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any

from vicinal.experiments.config import Experiment
from vicinal.experiments.only import agrees
from vicinal.experiments.statistics import summarize
from vicinal.report import labels
from vicinal.report.plain_table import PlainTable
from vicinal.report.results import Group, Section

__all__ = ["facts_text", "printed_facts"]

_FEW = 6  # data sets that are told one by one
_NOTE = (
    "Means over seeds ± standard error: for each of them graphs are drawn, or made of "
    "the training part, anew."
)


def facts_text(section: Section) -> str:
    """Each fact of a section's data; of data sets that differ each, or the extremes."""
    found: dict[str, dict[str, list[float]]] = {}  # by fact, by data set
    titles = _titles([group.settings for group in section.groups])
    for group, title in zip(section.groups, titles, strict=True):
        for row in group.rows:
            for name, fact in row.result["data_facts"].items():
                found.setdefault(name, {}).setdefault(title, []).append(fact)
    return ", ".join(_text(name, found[name]) for name in sorted(found))


def printed_facts(
    experiment: Experiment, sections: Sequence[Section]
) -> PlainTable | None:
    """Facts that the paper prints, beside ours; nothing where it prints none.

    Args:
        experiment: Its ``[published]`` may list ``facts``: the name of a ``fact``, its
            ``value``, and the settings of the data that it is about.
        sections: What was run of it.
    """
    groups = [group for section in sections for group in section.groups]
    rows = []
    for entry in experiment.published.get("facts", []):
        name, about = entry["fact"], _about(entry)
        by_seed = _by_seed([g for g in groups if agrees(g.settings, about)], name)
        if by_seed:
            found = summarize(list(by_seed.values()))
            told_about = labels.effective(about).items()
            title = ", ".join(labels.setting(n, given) for n, given in told_about)
            told = f"{_number(found.mean)} ± {found.se:.2g}"
            cells = (name.replace("_", " "), told, str(found.n))
            rows.append((title, *cells, _number(entry["value"])))
    head = ("data", "fact", "ours", "seeds", "paper")
    title = "Facts of the data beside the paper's"
    return PlainTable(title, _NOTE, head, tuple(rows)) if rows else None


def _about(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in entry.items() if n not in ("fact", "value", "note")}


def _by_seed(groups: Sequence[Group], name: str) -> dict[int, float]:
    """A fact by seed; models of the same seed see the same data."""
    return {
        row.seed: row.result["data_facts"][name]
        for group in groups
        for row in group.rows
        if name in row.result["data_facts"]
    }


def _titles(settings: Sequence[dict[str, Any]]) -> list[str]:
    """What tells the data of configurations apart."""
    names = [
        name
        for name in dict.fromkeys(name for one in settings for name in one)
        if labels.of_task(name) and len({repr(one.get(name)) for one in settings}) > 1
    ]
    return [
        ", ".join(labels.setting(name, one[name]) for name in names if name in one)
        for one in map(labels.effective, settings)
    ]


def _text(name: str, by_data: Mapping[str, Sequence[float]]) -> str:
    means = {title: summarize(facts).mean for title, facts in by_data.items()}
    texts = {title: _number(mean) for title, mean in means.items()}
    words = name.replace("_", " ")
    if len(set(texts.values())) == 1:
        return f"{words} {next(iter(texts.values()))}"
    if len(texts) <= _FEW:
        told = (f"{text} ({title})" if title else text for title, text in texts.items())
        return f"{words} {', '.join(told)}"
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    return f"{words} {texts[low]} to {texts[high]}"


def _number(fact: float) -> str:
    return f"{fact:,.0f}" if abs(fact) >= 1000 else f"{fact:.4g}"
