"""A table with the values of one setting side by side, for a README."""

import math
from collections.abc import Sequence

from vicinal.report import labels
from vicinal.report.tables import Line, Table

__all__ = ["across"]


def across(table: Table, setting: str) -> str:
    """A row for each model, a column for each value of a setting; Markdown.

    Scores are means ± standard errors over ``n`` seeds, the fewest of the row.

    Args:
        table: From :func:`vicinal.report.tables.tables`.
        setting: One of its columns.

    Example:
        >>> from vicinal.experiments.statistics import Summary
        >>> def line(share, mean):
        ...     ours = Summary(9, mean, 0.01, mean - 0.02, mean + 0.02)
        ...     return Line("ReLU", (share,), "accuracy", 9, 9, ours, ours, ours, None)
        >>> table = Table("Outliers", ("share",), (line("0", 0.9), line("0.3", 0.4)))
        >>> print(across(table, "share"))
        | model | n | share 0 | share 0.3 |
        |---|---|---|---|
        | ReLU | 9 | 90.0 ± 1.0 | 40.0 ± 1.0 |
    """
    name = setting.replace("_", " ")
    if name not in table.columns:
        raise ValueError(
            f"`across` must be a column of {table.name!r}, one of "
            f"{list(table.columns)}, got {setting!r}"
        )
    place = table.columns.index(name)
    values = list(dict.fromkeys(line.settings[place] for line in table.lines))
    others = [column for column in table.columns if column != name]
    head = ["model", *others, "n", *(f"{name} {value}" for value in values)]
    rows = [head, ["---"] * len(head)]
    for key, found in _alike(table.lines, place).items():
        seeds = str(min(line.n for line in found.values()))
        scores = [_score(found[v]) if v in found else "–" for v in values]
        rows.append([*key, seeds, *scores])
    head_text, rule, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head_text, rule.replace(" ", ""), *body])


def _alike(lines: Sequence[Line], place: int) -> dict[tuple[str, ...], dict[str, Line]]:
    """Lines that differ in one setting alone, by its value."""
    alike: dict[tuple[str, ...], dict[str, Line]] = {}
    for line in lines:
        rest = line.settings[:place] + line.settings[place + 1 :]
        alike.setdefault((line.model, *rest), {})[line.settings[place]] = line
    return alike


def _score(line: Line) -> str:
    mean, error = line.ours.mean, line.ours.se
    texts = [_short(mean, line.metric, 3)]
    texts += [] if math.isnan(error) else [_short(error, line.metric, 2)]
    return " ± ".join(texts)


def _short(value: float, metric: str, digits: int) -> str:
    """A share as elsewhere; other numbers with so many digits that count."""
    if labels.percent(metric):
        return labels.number(value, metric)
    return f"{value:.{digits}g}".replace("-", labels.MINUS)
