"""What a cell may set: which model, and how it is trained; the task has its own."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = ["ModelSettings", "TrainingSettings", "validated"]

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

    model: str = "gnn"
    activation: Activation = "relu"
    hops: int = Field(0, ge=0)
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


class TrainingSettings(BaseModel):
    """How the network is trained; the defaults are those of the paper.

    Example:
        >>> TrainingSettings().learning_rate
        0.005
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    epochs: int = Field(20, ge=1)
    batch: int = Field(100, ge=0)  # 0 takes all signals at once
    learning_rate: float = Field(0.005, gt=0)
    weight_decay: float = Field(0.0, ge=0)
    schedule: Literal["constant", "cosine", "halving"] = "constant"
    patience: int = Field(0, ge=0)  # 0 never stops early
    precision: Literal["float32", "float64"] = "float32"


def validated(kind: type[BaseModel], given: dict[str, Any], where: str) -> Any:
    """Read settings; a wrong one is named with its place, its rule and its value."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise ValueError(f"{where}: {_sentence(error)}") from None


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"])) or "settings"
    rule = first["msg"].removeprefix("Value error, ")
    rule = rule.removeprefix("Input should be ").removeprefix("Field ")
    return f"`{name}` must be {rule}, got {first['input']!r}"
