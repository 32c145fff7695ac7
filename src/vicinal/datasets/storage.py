"""Files of a data set on this machine: where they lie, whether they are the right ones.

Nothing here touches the network, and nothing is unpickled. What was checked is what is
returned: a file is read once.
"""

import gzip
import hashlib
import os
import zlib
from pathlib import Path

from vicinal.datasets.data_set import DataSet, File

__all__ = ["cache_folder", "check", "find", "places", "read"]


def cache_folder(name: str) -> Path:
    """Where fetched files of a data set are kept."""
    import pooch

    return Path(pooch.os_cache("vicinal")) / name


def places(name: str, folder: Path | None = None) -> list[Path]:
    """Folders in which a data set is looked for, the first to have a file serves it.

    Args:
        name: Of the data set.
        folder: The user's; ``VICINAL_DATA`` and the cache come after it.
    """
    named = [folder] if folder else []
    if given := os.environ.get("VICINAL_DATA"):
        named.append(Path(given))
    return [*(root / name for root in named), cache_folder(name)]


def find(data: DataSet, file: File, folder: Path | None = None) -> Path | None:
    """The path of a file, plain or with ``.gz``, or nothing."""
    for place in places(data.name, folder):
        for path in (place / file.name, place / f"{file.name}.gz"):
            if path.is_file():
                return path
    return None


def read(path: Path, file: File) -> bytes:
    """The content of a file, checked."""
    longest = file.size + 1  # a longer one is wrong, however long
    try:
        if path.suffix == ".gz" and not file.name.endswith(".gz"):
            with gzip.open(path) as unpacked:
                content = unpacked.read(longest)
        else:
            with path.open("rb") as plain:
                content = plain.read(longest)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: must be readable and whole, got {error}") from None
    return check(content, file, str(path))


def check(content: bytes, file: File, where: str) -> bytes:
    """The same content, if it is what the catalogue says."""
    found = hashlib.sha256(content).hexdigest()
    if len(content) != file.size or found != file.sha256:
        size = f"{len(content)}" if len(content) <= file.size else f"over {file.size}"
        raise ValueError(
            f"{where}: must be the published {file.name} of {file.size} bytes with "
            f"SHA-256 {file.sha256[:12]}..., got {size} bytes with {found[:12]}...; "
            "it is truncated or edited: replace it"
        )
    return content
