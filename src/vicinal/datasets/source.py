"""Source: what the experiments know of a task's origin."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from vicinal.datasets.task import Task

__all__ = ["Source", "generated"]


@dataclass(frozen=True)
class Source:
    """Settings of a task, how to load it, and the checksum of the files it reads."""

    settings: type[BaseModel]
    load: Callable[[Any, int, Path | None], Task]  # settings, seed, data folder
    checksum: Callable[[Any, Path | None], str]  # settings, data folder; "" if none


def generated(settings: BaseModel, folder: Path | None) -> str:
    """The checksum of a task that reads no files."""
    return ""
