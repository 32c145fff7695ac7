"""Files that are written whole or not at all."""

import tempfile
from pathlib import Path

__all__ = ["require_writable", "write"]


def write(path: Path, content: bytes) -> None:
    """Write a file aside and rename it: whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as aside:
            whole = Path(aside) / path.name
            whole.write_bytes(content)
            whole.replace(path)
    except OSError as error:
        raise OSError(f"{path.parent}: must be writable, got: {error}") from None


def require_writable(path: Path, option: str) -> None:
    """Tell now, not after long work, that a file cannot be written.

    Args:
        path: Of the file.
        option: Who asked for it, for the sentence.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        reason = "it is a folder" if path.is_dir() else ""
    except OSError as error:
        reason = str(error.strerror)
    if reason:
        raise ValueError(
            f"`{option}` must be a file that can be written, got {path}: {reason}"
        )
