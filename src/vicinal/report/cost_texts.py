"""What runs cost, as tables print it: means over rows."""

import math
from collections.abc import Sequence
from statistics import fmean

from vicinal.experiments.row import Row

__all__ = ["HEAD", "cost_texts"]

HEAD = ("trained on", "parameters", "seconds to train", "seconds per prediction")


def cost_texts(rows: Sequence[Row]) -> tuple[str, str, str, str]:
    """Samples, parameters, seconds to train and per prediction, in the order of HEAD.

    Args:
        rows: Of one system; a dash stands for what none of them says.
    """
    results = [row.result for row in rows]
    sizes = [result["data_facts"].get("train", math.nan) for result in results]
    timed = [result.get("predict_seconds", math.nan) for result in results]
    return (
        _mean(sizes, ",.0f"),
        _parameters([result.get("parameters", {}) for result in results]),
        _mean([result["seconds"] for result in results], ".3g"),
        _mean(timed, ".2g"),
    )


def _mean(values: Sequence[float], form: str) -> str:
    mean = fmean(values)
    return "–" if math.isnan(mean) else format(mean, form)


def _parameters(counts: Sequence[dict[str, int]]) -> str:
    """Convolution, readout and both; of rows that differ the smallest and largest."""
    totals = sorted({count.get("total", 0) for count in counts})
    if not totals[-1]:
        return "–"
    if len(totals) > 1:
        return f"{totals[0]:,} to {totals[-1]:,}"
    if "readout" in counts[0]:
        parts = [counts[0][name] for name in ("convolution", "readout", "total")]
        return "{:,} + {:,} = {:,}".format(*parts)
    return f"{totals[0]:,}"
