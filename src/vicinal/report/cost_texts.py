"""What runs cost, as tables print it: means over rows."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from vicinal.experiments.row import Row

__all__ = ["HEAD", "cost_texts", "mean_text"]

HEAD = ("trained on", "parameters", "seconds to train", "seconds per prediction")


def cost_texts(rows: Sequence[Row]) -> tuple[str, str, str, str]:
    """Samples, parameters, seconds to train and per prediction, in the order of HEAD.

    Args:
        rows: Of one system; a dash stands for what none of them says.
    """
    results = [row.result for row in rows]
    return (
        mean_text((result["data_facts"].get("train") for result in results), ",.0f"),
        _parameters([result.get("parameters", {}) for result in results]),
        mean_text((result["seconds"] for result in results), ".3g"),
        mean_text((result.get("predict_seconds") for result in results), ".2g"),
    )


def mean_text(values: Iterable[float | None], form: str) -> str:
    """The mean of what is known, or a dash.

    Example:
        >>> mean_text([1.0, None, 2.0], ".2g"), mean_text([], ".2g")
        ('1.5', '–')
    """
    known = [one for one in values if one is not None and not math.isnan(one)]
    return format(fmean(known), form) if known else "–"


def _parameters(counts: Sequence[dict[str, int]]) -> str:
    """Convolution, readout and both; of rows that differ the smallest and largest."""
    totals = sorted({count.get("total", 0) for count in counts})
    if not any(totals):
        return "–"
    if len(totals) > 1:
        return f"{totals[0]:,} to {totals[-1]:,}"
    if {"convolution", "readout"} <= counts[0].keys():
        parts = [counts[0][name] for name in ("convolution", "readout", "total")]
        return "{:,} + {:,} = {:,}".format(*parts)
    return f"{totals[0]:,}"
