"""Getting data: from a server and a package of our own, whole or not at all."""

import functools
import http.server
import threading
import zipfile

import pytest
import requests
from datasets.made_up import known_as
from datasets.test_archives import tar_of

from vicinal.datasets import catalog, download, storage
from vicinal.datasets.data_set import Address, DataSet, Wheel
from vicinal.files import write

ONE, TWO = b"1\n2\n", b"3\n"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path):
    """A folder and the address under which it is served."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


@pytest.fixture
def toy(server, monkeypatch):
    """A set of two files in an archive, with a second address for the first."""
    folder, url = server
    files = (known_as("one", ONE), known_as("two", TWO))
    archive = Address(f"{url}/toy.tgz", (("toy/one", "one"), ("toy/two", "two")))
    plain = Address(f"{url}/one", (("", "one"),))
    wheel = Wheel(
        "toy==1.0",
        (known_as("toy/both", ONE + TWO),),
        lambda members: {"one": members["toy/both"][:4], "two": TWO},
    )
    words = {"homepage": url, "terms": "none", "citation": "nobody"}
    data = DataSet("toy", "Toy", files, (archive, plain), wheel=wheel, **words)
    monkeypatch.setitem(catalog.CATALOG, "toy", data)
    return folder


def cached():
    folder = storage.cache_folder("toy")
    return {p.name: p.read_bytes() for p in folder.iterdir()} if folder.exists() else {}


def test_content_is_fetched_once(toy):
    tar_of(toy / "toy.tgz", ("toy/one", ONE), ("toy/two", TWO))
    assert download.content("toy", "one") == ONE
    (toy / "toy.tgz").unlink()
    assert download.content("toy", "two") == TWO
    assert cached() == {"one": ONE, "two": TWO}


def test_a_second_address_fills_in(toy, monkeypatch):
    url = catalog.entry("toy").addresses[0].url
    only_two = Address(url, (("toy/two", "two"),))
    plain = catalog.entry("toy").addresses[1]
    data = DataSet(**{**vars(catalog.entry("toy")), "addresses": (only_two, plain)})
    monkeypatch.setitem(catalog.CATALOG, "toy", data)
    tar_of(toy / "toy.tgz", ("toy/two", TWO))
    (toy / "one").write_bytes(ONE)
    assert download.fetch("toy") == storage.cache_folder("toy")
    assert cached() == {"one": ONE, "two": TWO}


def test_what_arrived_is_kept_whatever_fails_later(toy, monkeypatch):
    url = catalog.entry("toy").addresses[0].url
    only_two = Address(url, (("toy/two", "two"),))
    plain = catalog.entry("toy").addresses[1]
    data = DataSet(**{**vars(catalog.entry("toy")), "addresses": (plain, only_two)})
    monkeypatch.setitem(catalog.CATALOG, "toy", data)
    (toy / "one").write_bytes(ONE)
    with pytest.raises(ConnectionError, match="404"):
        download.fetch("toy")
    assert cached() == {"one": ONE}
    (toy / "one").unlink()  # it is not asked for again
    tar_of(toy / "toy.tgz", ("toy/two", TWO))
    download.fetch("toy")
    assert cached() == {"one": ONE, "two": TWO}


def test_an_edited_file_of_the_cache_is_fetched_again(toy):
    tar_of(toy / "toy.tgz", ("toy/one", ONE), ("toy/two", TWO))
    write(storage.cache_folder("toy") / "one", b"9\n9\n")
    download.fetch("toy")
    assert cached() == {"one": ONE, "two": TWO}


@pytest.mark.parametrize(
    "members",
    [
        [("toy/one", ONE), ("toy/two", b"edited")],
        [("toy/one", ONE), ("../toy/two", TWO)],
        [("toy/one", ONE), ("toy/two", None)],
        [("toy/one", ONE)],
        [],
    ],
)
def test_a_wrong_archive_leaves_nothing_behind(toy, members):
    tar_of(toy / "toy.tgz", *members)
    with pytest.raises(ConnectionError, match="Toy must be on this machine"):
        download.fetch("toy")
    assert cached() == {}


def test_without_an_answer_the_ways_are_named(toy):
    with pytest.raises(ConnectionError) as error:
        download.content("toy", "one")
    sentence = str(error.value)
    assert "404" in sentence
    for way in ("--data", "VICINAL_DATA", "fetch toy`", "fetch toy --from-index`"):
        assert way in sentence
    assert "\n" not in sentence


def make_wheel(folder, content):
    path = folder / "toy-1.0-py3-none-any.whl"
    tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("toy/both", content)
        wheel.writestr("../../evil", b"bad")
        info = "toy-1.0.dist-info"
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n"
        )
        wheel.writestr(f"{info}/WHEEL", tag)
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path, monkeypatch):
    """The folder that pip takes for its index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(folder)}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


def test_a_package_is_asked_only_when_told_to(toy, index):
    make_wheel(index, ONE + TWO)
    with pytest.raises(ConnectionError):
        download.fetch("toy")
    download.fetch("toy", from_index=True)
    assert cached() == {"one": ONE, "two": TWO}


def test_an_edited_package_is_refused(toy, index):
    make_wheel(index, ONE + b"4\n")
    with pytest.raises(ValueError, match=r"toy==1.0: must be the published toy/both"):
        download.fetch("toy", from_index=True)
    assert cached() == {}


def test_a_package_that_is_not_there_is_named(toy, index):
    with pytest.raises(
        ConnectionError, match=r"`toy==1.0` must be on the package index"
    ):
        download.fetch("toy", from_index=True)


def test_a_set_without_package_says_so(toy, monkeypatch):
    data = DataSet(**{**vars(catalog.entry("toy")), "wheel": None})
    monkeypatch.setitem(catalog.CATALOG, "toy", data)
    with pytest.raises(
        ValueError, match=r"`--from-index` must .* 'toy', which none does"
    ):
        download.fetch("toy", from_index=True)


def test_available_says_where(toy, tmp_path):
    def where():
        return {found.data.name: found.where for found in download.available(tmp_path)}

    assert where()["cora"] is None
    assert where()["toy"] is None
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "one").write_bytes(ONE)
    assert where()["toy"] is None
    (tmp_path / "toy" / "two").write_bytes(TWO)
    assert where()["toy"] == tmp_path / "toy"


def test_verify_reads_every_file(toy, tmp_path):
    with pytest.raises(FileNotFoundError, match="got no one here; put its files"):
        download.verify("toy", tmp_path)
    write(tmp_path / "toy" / "one", ONE)
    write(tmp_path / "toy" / "two", TWO)
    paths = {name: tmp_path / "toy" / name for name in ("one", "two")}
    assert download.verify("toy", tmp_path) == paths
    write(tmp_path / "toy" / "two", b"4\n")
    with pytest.raises(ValueError, match="two: must be the published two of 2 bytes"):
        download.verify("toy", tmp_path)


def test_real_files_are_the_published_ones(real_data):
    assert set(download.verify("cora", real_data)) >= {"cora.content", "cora.cites"}


def test_a_host_that_does_not_answer_is_asked_once(toy, monkeypatch):
    asked = []

    def retrieve(url, folder):
        asked.append(url)
        raise requests.ConnectionError

    monkeypatch.setattr(download, "_retrieve", retrieve)
    with pytest.raises(ConnectionError, match=r"127\.0\.0\.1 said: no connection"):
        download.fetch("toy")
    assert len(asked) == 1
