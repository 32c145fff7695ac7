"""Files that are written whole or not at all."""

import tempfile
from pathlib import Path

__all__ = ["require_writable", "require_writable_folder", "write"]


def write(path: Path, content: bytes) -> None:
    """Write a file aside and rename it: whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=path.parent) as aside:
            whole = Path(aside) / path.name
            whole.write_bytes(content)
            whole.replace(path)
    except OSError as error:
        raise OSError(
            f"`path` must be a file that can be written, got {path} "
            f"({path.parent}: {error.strerror})"
        ) from None


def require_writable(path: Path, option: str) -> None:
    """Tell now, not after long work, that a file cannot be written.

    Args:
        path: Of the file.
        option: Who asked for it, for the sentence.
    """
    reason = "it is a folder" if path.is_dir() else _obstacle(path.parent)
    if reason:
        raise ValueError(
            f"`{option}` must be a file that can be written, got {path}: {reason}"
        )


def require_writable_folder(path: Path, option: str) -> None:
    """The same of a folder that files are to be written to."""
    if reason := _obstacle(path):
        raise ValueError(
            f"`{option}` must be a folder that can be written, got {path}: {reason}"
        )


def _obstacle(folder: Path) -> str:
    """Why nothing can be written to a folder, which is made; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return str(error.strerror)
