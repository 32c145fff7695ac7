"""How many signals a generated task draws for each of its parts."""

from typing import Annotated

from pydantic import AfterValidator

__all__ = ["Samples"]


def _enough(value: tuple[int, int, int]) -> tuple[int, int, int]:
    if value[0] < 1 or value[1] < 0 or value[2] < 1:
        raise ValueError("numbers of train, valid and test signals, valid may be 0")
    return value


Samples = Annotated[tuple[int, int, int], AfterValidator(_enough)]  # train, valid, test
