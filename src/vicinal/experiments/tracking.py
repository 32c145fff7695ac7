"""TensorBoard logs, one run per cell (extra ``tensorboard``)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vicinal.experiments.cell import Cell
from vicinal.training import History

__all__ = ["logger"]


Log = Callable[[int, History], None]


@contextmanager
def logger(folder: Path | None, cell: Cell) -> Iterator[Log]:
    """A function for the trainer to call after every epoch; idle without a folder."""
    if folder is None:
        yield lambda epoch, history: None
        return
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ImportError(
            "`--logs` must have TensorBoard, got none; "
            "install it with `pip install vicinal[tensorboard]`"
        ) from None
    with SummaryWriter(str(folder / f"{cell.config_hash}-{cell.seed}")) as writer:
        writer.add_text("cell", cell.label)
        yield lambda epoch, history: _log(writer, epoch, history)


def _log(writer: Any, epoch: int, history: History) -> None:
    seen = {"loss/train": history.train_loss, "loss/valid": history.valid_loss}
    seen |= {f"test/{name}": curve for name, curve in history.test.items()}
    for name, curve in seen.items():
        if curve:
            writer.add_scalar(name, curve[-1], epoch)
    writer.flush()
