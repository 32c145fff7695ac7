"""What a cell may set: which model, and how it is trained; the task has its own."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)
from pydantic_core import ErrorDetails

from vicinal.graphs.shifts import SHIFTS

__all__ = ["READ", "ModelSettings", "TrainingSettings", "validated"]

Model = Literal[  # NETWORKS of models.py and ESTIMATORS of estimators.py
    "gnn",
    "mlp",
    "gcn",
    "sgc",
    "appnp",
    "amplitude",
    "bayes",
    "constant",
    "logistic-regression",
    "nearest-neighbor",
    "median-filter",
    "median-ridge",
    "burrows-delta",
    "cosine-delta",
    "linear-svm",
    "wan-entropy",
    "word-logistic",
    "global-mean",
    "user-mean",
    "item-mean",
    "rating-biases",
    "rating-neighbors",
    "rating-factors",
    "rating-svd",
    "rating-gnn",
    "srmgcnn",
    "mirror-filter",
    "user-filter",
    "user-filter-without-cycles",
    "item-filter",
    "item-filter-without-cycles",
]
READ = {  # what each of the rival networks takes of the settings of a model
    "mlp": ("dropout",),
    "gcn": ("hidden", "dropout", "shift"),
    "sgc": ("taps", "shift"),
    "appnp": ("hidden", "taps", "dropout", "shift"),
}
Activation = Literal[
    "relu", "identity", "prelu", "maxout", "tanh", "max", "median", "mean"
]


class ModelSettings(BaseModel):
    """The network, or the rival or baseline in its place.

    Example:
        >>> ModelSettings(activation="median", hops=1).hidden
        32
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Model = "gnn"
    activation: Activation = "relu"
    hops: int = Field(0, ge=0, le=1000)
    pointwise: Literal["none", "relu"] = "none"
    layers: int = Field(1, ge=1)
    hidden: int = Field(32, ge=1)
    taps: int = Field(5, ge=1)
    bias: bool = False
    shared: bool = False
    initial: Literal["mean", "uniform"] = "mean"
    convention: Literal["upper", "lower"] = "upper"
    neighborhoods: Literal["within", "exact", "component"] = "within"
    dropout: float = Field(0.0, ge=0, lt=1)
    dropout_form: Literal["elements", "nodes"] = "elements"
    shift: str = "adjacency"
    second_shift: str = "none"
    scaled: bool = True

    @field_validator("shift")
    @classmethod
    def _is_shift(cls, value: str) -> str:
        return _one_of(SHIFTS, value)

    @field_validator("second_shift")
    @classmethod
    def _is_shift_or_none(cls, value: str) -> str:
        return _one_of([*SHIFTS, "none"], value)


class TrainingSettings(BaseModel):
    """How the network is trained; the defaults are those of the paper.

    Example:
        >>> TrainingSettings().learning_rate
        0.005
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    epochs: int = Field(20, ge=1)
    batch: int = Field(100, ge=0)  # 0 takes all signals at once
    learning_rate: float = Field(0.005, gt=0, allow_inf_nan=False)
    weight_decay: float = Field(0.0, ge=0, allow_inf_nan=False)
    schedule: Literal["constant", "cosine", "halving"] = "constant"
    patience: int = Field(0, ge=0)  # 0 never stops early
    precision: Literal["float32", "float64"] = "float32"


_TYPES: dict[Any, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}
_WORDS = {  # where pydantic's own are about parsing
    "float_parsing": "a number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "tuple_type": "a list",
}


def _one_of(known: Iterable[str], value: str) -> str:
    if value not in known:
        raise ValueError(f"one of {sorted(known)}")
    return value


def validated(kind: type[BaseModel], given: dict[str, Any], where: str) -> Any:
    """Read settings; a wrong one is named with its place, its rule and its value."""
    for name, value in given.items():
        _require_type(kind, name, value, where)
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        known = sorted(kind.model_fields)
        raise ValueError(f"{where}: {_sentence(error.errors()[0], known)}") from None


def _require_type(kind: type[BaseModel], name: str, value: Any, where: str) -> None:
    """No number is made of a text or of a switch, and no switch of a number."""
    field = kind.model_fields.get(name)
    types, told = _TYPES.get(field.annotation if field else None, ((), ""))
    if types and type(value) not in types:
        raise ValueError(f"{where}: `{name}` must be {told}, got {value!r}")


def _sentence(error: ErrorDetails, known: list[str]) -> str:
    name = ".".join(map(str, error["loc"])) or "settings"
    if error["type"] == "extra_forbidden":
        return f"`{name}` must be one of the keys {known}, got an unknown one"
    if error["type"] == "missing" and len(error["loc"]) > 1:
        least = int(error["loc"][-1]) + 1
        return f"`{error['loc'][0]}` must list {least} values, got {error['input']!r}"
    if error["type"] == "missing":
        return f"`{name}` must be given, got nothing"
    if error["type"] in _WORDS:
        return f"`{name}` must be {_WORDS[error['type']]}, got {error['input']!r}"
    if error["type"] == "too_short":
        return f"`{name}` must have at least one entry, got none"
    rule = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return f"`{name}` must be {rule}, got {error['input']!r}"
