"""Progress of a run: a bar on a terminal, plain lines elsewhere, JSON for scripts."""

import json
import math
import sys
import time
from typing import Any

import typer

__all__ = ["Plain", "Silent", "Terminal", "as_json", "duration", "shown"]

_SECONDS_BETWEEN_LINES = 15.0
_FIRST = 4  # that say little of the others


def duration(seconds: float) -> str:
    """Seconds as hours, minutes and seconds.

    Example:
        >>> duration(3671)
        '1:01:11'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Silent:
    """No progress."""

    def __enter__(self) -> "Silent":
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to end."""

    def advance(self, label: str) -> None:
        """Nothing to show."""

    def say(self, line: str) -> None:
        """Something that went wrong: always told."""
        typer.echo(line, err=True)


class Plain(Silent):
    """A line every few seconds: done, elapsed, left."""

    def __init__(
        self, total: int, unit: str = "cells", expected: float | None = None
    ) -> None:
        self.total, self.done, self.unit = total, 0, unit
        self.expected = expected  # seconds, before any is done
        self.started = self.told = time.monotonic()

    def advance(self, label: str) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if now - self.told < _SECONDS_BETWEEN_LINES and self.done < self.total:
            return
        self.told, elapsed = now, now - self.started
        left = self._each(elapsed) * (self.total - self.done)
        typer.echo(
            f"{self.done}/{self.total} {self.unit}, {duration(elapsed)} elapsed, "
            f"about {duration(left)} left"
        )

    def _each(self, elapsed: float) -> float:
        """Seconds for one; at first as expected, for starting takes its time too."""
        if self.expected is not None and self.done <= _FIRST:
            return self.expected / self.total
        return elapsed / self.done


class Terminal(Silent):
    """A bar with the time left and the cell that was finished last."""

    def __init__(self, total: int) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.table import Column

        rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")  # of the line
        self.bar = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn(
                "{task.description}", style="dim", markup=False, table_column=rest
            ),
            speed_estimate_period=600,
            expand=True,
        )
        self.task = self.bar.add_task("", total=total)

    def __enter__(self) -> "Terminal":
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def advance(self, label: str) -> None:
        """One more is done."""
        self.bar.update(self.task, advance=1, description=label)

    def say(self, line: str) -> None:
        """Something that went wrong, above the bar."""
        self.bar.console.print(line, style="red", highlight=False, markup=False)


def shown(
    total: int, quiet: bool, unit: str = "cells", expected: float | None = None
) -> Silent | Plain | Terminal:
    """The progress that fits where the output goes.

    Args:
        total: How many there are.
        quiet: Show nothing.
        unit: What is counted.
        expected: Seconds that all will take, if that is known.
    """
    if quiet or total == 0:
        return Silent()
    return Terminal(total) if sys.stdout.isatty() else Plain(total, unit, expected)


def as_json(value: dict[str, Any]) -> None:
    """One JSON value on a line of its own; what is no number is null."""
    typer.echo(json.dumps(_finite(value), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
