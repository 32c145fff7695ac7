"""One named member of an archive, read into memory: nothing is unpacked onto a disk.

What an archive calls its other members, and where it would put them, does not matter.
"""

import tarfile
import zipfile
import zlib
from pathlib import Path

__all__ = ["member"]

_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    OSError,
    RuntimeError,  # a member behind a password
)


def member(path: Path, name: str, size: int) -> bytes:
    """Content of a member of a tar or zip archive, or of the file itself.

    Args:
        path: The archive; or a plain file, if no member is named.
        name: Of the member.
        size: Bytes expected; no more than one beyond is read.
    """
    if not name:
        with path.open("rb") as plain:
            return plain.read(size + 1)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive, archive.open(name) as inside:
                return inside.read(size + 1)
        return _tar_member(path, name, size)
    except _BROKEN as error:
        raise ValueError(
            f"{path.name}: must be a whole archive that holds {name}, got an error: "
            f"{error}"
        ) from None


def _tar_member(path: Path, name: str, size: int) -> bytes:
    with tarfile.open(path) as archive:
        found = archive.getmember(name)
        inside = archive.extractfile(found) if found.isfile() else None
        if inside is None:
            raise tarfile.TarError(f"{name} is no plain file")
        return inside.read(size + 1)
