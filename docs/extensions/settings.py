"""Every key that an experiment may set, with its values and its default."""

import json
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from extensions.markdown import table
from vicinal.datasets import TASKS
from vicinal.experiments.settings import ModelSettings, TrainingSettings


def settings() -> str:
    """One table for the network, one for the training, one for each task."""
    kinds = {
        "The network, rival or baseline": ModelSettings,
        "The training": TrainingSettings,
        **{f"The task `{name}`": source.settings for name, source in TASKS.items()},
    }
    return "\n".join(f"### {title}\n\n{_of(kind)}" for title, kind in kinds.items())


def _of(kind: type[BaseModel]) -> str:
    return table(
        ["key", "value", "default"],
        (
            [f"`{name}`", _values(field), f"`{json.dumps(field.default)}`"]
            for name, field in kind.model_fields.items()
        ),
    )


def _values(field: FieldInfo) -> str:
    words = [_kind(field.annotation)]
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    for rule in field.metadata:
        words += [
            f"{sign} {getattr(rule, name)}"
            for name, sign in signs.items()
            if getattr(rule, name, None) is not None
        ]
    return ", ".join(words)


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{json.dumps(value)}`" for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(map(_kind, get_args(annotation)))
    if get_origin(annotation) is tuple:
        inside = [kind for kind in get_args(annotation) if kind is not Ellipsis]
        return f"list of {_kind(inside[0])}"
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return names.get(annotation, getattr(annotation, "__name__", str(annotation)))
