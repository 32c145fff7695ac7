"""TensorBoard logs, one run per cell (extra ``tensorboard``)."""

from collections.abc import Callable
from pathlib import Path

from vicinal.experiments.cell import Cell
from vicinal.training import History

__all__ = ["logger"]


def logger(folder: Path | None, cell: Cell) -> Callable[[int, History], None]:
    """A function for the trainer to call after every epoch; idle without a folder."""
    if folder is None:
        return lambda epoch, history: None
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ImportError(
            "`--logs` must have TensorBoard, got none; "
            "install it with `pip install vicinal[tensorboard]`"
        ) from None
    writer = SummaryWriter(str(folder / f"{cell.config_hash}-{cell.seed}"))
    writer.add_text("cell", cell.label)

    def log(epoch: int, history: History) -> None:
        seen = {"loss/train": history.train_loss, "loss/valid": history.valid_loss}
        seen |= {f"test/{name}": curve for name, curve in history.test.items()}
        for name, curve in seen.items():
            if curve:
                writer.add_scalar(name, curve[-1], epoch)
        writer.flush()

    return log
