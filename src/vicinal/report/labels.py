"""Names and numbers as a reader sees them."""

import math
from collections.abc import Sequence
from typing import Any

from vicinal.experiments.settings import ModelSettings, TrainingSettings
from vicinal.experiments.statistics import Summary

__all__ = ["cells", "effective", "full_names", "interval", "loss", "metric", "model"]
__all__ += ["number", "of_task", "percent", "setting", "signed", "title", "value"]
__all__ += ["varying"]

_SHARES = {"accuracy", "error"}
_DECIMALS = {"loss": 3, "rmse": 4}  # as the paper prints them
_POINTWISE = {"relu": "ReLU", "prelu": "PReLU", "tanh": "tanh"}
_MODEL = ("model", "activation", "hops", "pointwise", "clip")  # told by the name
_DENSITIES = {"erdos-renyi": 0.4, "geometric": 0.15}
_NAMES = {
    "erdos-renyi": "Erdős–Rényi",
    "austen": "Jane Austen",
    "bronte": "Emily Brontë",
    "charlotte_bronte": "Charlotte Brontë",
    "burrows-delta": "Burrows's Delta",
    "cosine-delta": "Cosine Delta",
    "linear-svm": "linear SVM",
    "wan-entropy": "WAN relative entropy",
    "word-logistic": "logistic regression on z-scores",
    "gcn": "GCN",
    "sgc": "SGC",
    "appnp": "APPNP",
    "mlp": "MLP",
    "nearest-neighbor": "1-NN",
    "median-ridge": "fixed median, ridge",
    "median-filter": "fixed median",
    "bayes": "Bayes rule",
    "srmgcnn": "sRMGCNN",
    "rating-svd": "SVD",
    "rating-gnn": "one GNN for all",
}
_METRICS = {
    "mse": "mean squared error",
    "rmse": "RMSE",
    "rmse_argmax": "RMSE of the likeliest stars",
    "rmse_clipped": "RMSE",
    "rmse_expected": "RMSE of the expected stars",
}
_ACTIVATED = ("rating-gnn",)  # networks whose activation is always told
MINUS = "\N{MINUS SIGN}"


def model(settings: dict[str, Any]) -> str:
    """What a reader calls the network.

    Example:
        >>> model({"model": "gnn", "activation": "median", "hops": 2})
        '2-hop median'
        >>> model({"model": "gnn", "activation": "relu", "hops": 0})
        'ReLU'
    """
    kind = settings.get("model", "gnn")
    activation = settings.get("activation", "relu")
    hops, pointwise = settings.get("hops", 0), settings.get("pointwise", "none")
    local = activation in ("max", "median", "mean")
    name = f"{hops}-hop {activation}" if local else _pointwise(activation)
    name = name if pointwise == "none" else f"{_pointwise(pointwise)} of {name}"
    if kind != "gnn":
        known = _NAMES.get(kind, str(kind).replace("-", " "))
        told = local or kind in _ACTIVATED
        name = f"{known}, {name}" if told else known
    return f"clipped, {name}" if settings.get("clip") else name


def varying(settings: Sequence[dict[str, Any]]) -> list[str]:
    """The settings that tell apart what has the same model's name.

    What only rivals set otherwise is told by their name.

    Example:
        >>> one = {"model": "gnn", "activation": "relu", "layers": 1}
        >>> varying([one, one | {"layers": 4}, one | {"model": "gcn", "dropout": 0.5}])
        ['layers']
    """
    alike = _by_model(settings)
    found = {name for group in alike.values() for name in _differing(group)}
    return [name for name in (settings[0] if settings else ()) if name in found]


def cells(
    settings: Sequence[dict[str, Any]], columns: Sequence[str]
) -> list[tuple[str, ...]]:
    """Values by column; a dash for what a row does not have, or what tells nothing.

    Example:
        >>> one = {"model": "gnn", "activation": "relu", "layers": 1}
        >>> cells([one, one | {"layers": 4}, one | {"model": "gcn"}], ["layers"])
        [('1',), ('4',), ('–',)]
    """
    telling = {name: _differing(group) for name, group in _by_model(settings).items()}

    def text(one: dict[str, Any], name: str) -> str:
        own = of_task(name) or one["model"] == "gnn" or name in telling[model(one)]
        return value(effective(one)[name]) if own and name in one else "–"

    return [tuple(text(one, name) for name in columns) for one in settings]


def of_task(name: str) -> bool:
    """Whether a setting is about the data, not about networks and their training."""
    return name not in ModelSettings.model_fields | TrainingSettings.model_fields


def full_names(settings: Sequence[dict[str, Any]]) -> list[str]:
    """Models' names, with what else of a network tells apart those of the same name."""
    alike = {name: _differing(group) for name, group in _by_model(settings).items()}
    names = []
    for one in settings:
        telling = [name for name in alike[model(one)] if not of_task(name)]
        names.append(", ".join([model(one), *(setting(n, one[n]) for n in telling)]))
    return names


def effective(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with the density that a zero stands for: the paper's."""
    if settings.get("density") == 0 and settings.get("graph") in _DENSITIES:
        return settings | {"density": _DENSITIES[settings["graph"]]}
    return settings


def setting(name: str, given: Any) -> str:
    """A setting with its name, where the value alone would not say it.

    Example:
        >>> setting("graph", "geometric"), setting("density", 0.4), setting("b", True)
        ('geometric', 'density 0.4', 'b yes')
    """
    known = isinstance(given, str) and given != "none"
    return value(given) if known else f"{name.replace('_', ' ')} {value(given)}"


def percent(metric: str) -> bool:
    """Whether a metric is a share, shown in percent."""
    return metric in _SHARES


def metric(name: str) -> str:
    """A metric in words.

    Example:
        >>> metric("rmse_argmax"), metric("accuracy")
        ('RMSE of the likeliest stars', 'accuracy')
    """
    return _METRICS.get(name, name)


def loss(settings: dict[str, Any]) -> str:
    """What training made small.

    Example:
        >>> loss({"task": "denoising"}), loss({"task": "citations"})
        ('mean squared error', 'cross entropy, nats')
    """
    squared = settings["task"] == "denoising" or settings.get("head") == "regression"
    return "mean squared error" if squared else "cross entropy, nats"


def number(value: float, metric: str, digits: int = 1) -> str:
    """A score: shares in percent, RMSE as printed, others with four digits.

    Of what is below a ten thousandth seven decimals are shown.

    Example:
        >>> number(0.9312, "accuracy"), number(0.1262, "mse"), number(89336, "ratings")
        ('93.1', '0.1262', '89,336')
        >>> number(-3.583e-5, "mse")
        '−0.0000358'
    """
    if math.isnan(value):
        return "–"
    if percent(metric):
        text = f"{100 * value:.{digits}f}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}"
    elif (kind := metric.partition("_")[0]) in _DECIMALS:
        text = f"{value:.{_DECIMALS[kind]}f}"
    elif 0 < abs(value) < 1e-4:
        text = f"{value:.7f}"
    else:
        text = f"{value:#.4g}"
    text = text.removeprefix("-") if not text.strip("-0.") else text
    return text.replace("-", MINUS)


def signed(value: float, metric: str, digits: int = 1) -> str:
    """A difference of scores, with its sign."""
    text = number(value, metric, digits)
    return text if text == "–" or text.startswith(MINUS) else f"+{text}"


def interval(summary: Summary, metric: str, sign: bool = False) -> str:
    """A 95 % interval.

    Example:
        >>> interval(Summary(3, 0.5, 0.01, 0.457, 0.543), "accuracy")
        '[45.7, 54.3]'
        >>> interval(Summary(3, 0.01, 0.01, 0.0003, 0.0197), "error", sign=True)
        '[+0.03, +1.97]'
    """
    if math.isnan(summary.low):
        return ""
    write = signed if sign else number
    ends = (summary.low, summary.high)
    digits = next((d for d in (1, 2, 3) if not _hides(ends, metric, d)), 4)
    return f"[{write(ends[0], metric, digits)}, {write(ends[1], metric, digits)}]"


def _hides(ends: tuple[float, float], metric: str, digits: int) -> bool:
    """Whether an end is written as zero and is none."""
    texts = [number(end, metric, digits) for end in ends]
    return percent(metric) and any(
        end and not text.strip("0.") for end, text in zip(ends, texts, strict=True)
    )


def title(name: str) -> str:
    """A section's name as a heading."""
    return (name[:1].upper() + name[1:]).replace("Erdos-Renyi", "Erdős–Rényi")


def value(given: Any) -> str:
    """A setting's value."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, list | tuple):
        return ("–" if len(given) == 2 else ", ").join(map(str, given)) or "none"
    return f"{given:g}" if isinstance(given, float) else _NAMES.get(given, str(given))


def _pointwise(activation: str) -> str:
    return _POINTWISE.get(activation, activation)


def _by_model(settings: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    alike: dict[str, list[dict[str, Any]]] = {}
    for one in settings:
        alike.setdefault(model(one), []).append(one)
    return alike


def _differing(settings: Sequence[dict[str, Any]]) -> list[str]:
    first, *others = settings
    names = (name for name in first if name not in _MODEL)
    return [n for n in names if any(one.get(n) != first[n] for one in others)]
