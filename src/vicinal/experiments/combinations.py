"""Settings of a cell that must fit each other; told before anything is run."""

from vicinal.experiments.cell import Cell
from vicinal.experiments.rating_estimators import RATING_ESTIMATORS

__all__ = ["require_combination"]

_OVER_HOPS = ("max", "median", "mean")
_TASKS = {  # of models that know one kind of data
    **dict.fromkeys(("gcn", "sgc", "appnp"), ("citations",)),
    **dict.fromkeys(
        ("burrows-delta", "cosine-delta", "linear-svm", "wan-entropy", "word-logistic"),
        ("authorship",),
    ),
    **dict.fromkeys(RATING_ESTIMATORS, ("movie-ratings",)),
    "bayes": ("source-localization",),
}


def require_combination(cell: Cell, where: str) -> None:
    """Refuse settings that have no meaning together.

    Args:
        cell: Each of its settings alone is right.
        where: File and block, for the sentence about what is wrong.

    Example:
        >>> from vicinal.experiments.cell import make_cell
        >>> relu = {"task": "source-localization", "activation": "relu"}
        >>> require_combination(make_cell(relu, 0, "here"), "here")
    """
    model = cell.model
    if model.second_shift != "none" and model.layers == 1:
        raise ValueError(
            f"{where}: `layers` must be 2 or more for a `second_shift`, got 1; "
            'set `layers` or leave `second_shift = "none"`'
        )
    if model.model == "gnn" and model.hops and model.activation not in _OVER_HOPS:
        raise ValueError(
            f"{where}: `hops` must be 0 for the activation {model.activation!r}, which "
            f"looks at one node at a time, got {model.hops}"
        )
    known = _TASKS.get(model.model, (cell.name,))
    if cell.name not in known:
        raise ValueError(
            f"{where}: `task` must be one of {list(known)} for the model "
            f"{model.model!r}, got {cell.name!r}"
        )
    if model.model == "bayes" and cell.settings["noise"] == "heavy-tailed":
        raise ValueError(
            f"{where}: `noise` must be 'none', 'white' or 'impulsive' for the Bayes "
            "rule, got 'heavy-tailed'"
        )
