"""The manifest of novels, and texts made again from a publisher's file."""

import dataclasses
import hashlib

import pytest

from vicinal.datasets import catalog, download
from vicinal.datasets.data_set import Address, File
from vicinal.datasets.novels import Block, Novel, novels, restore

FILE = (
    b"\xef\xbb\xbfThe licence\r\n\r\n** START **\r\n\r\n\r\nTITLE\r\n\r\nChapter I\r\n"
    b"\r\n\r\n\r\n[Picture]\r\n\r\nIt was.\r\n\r\nTHE END\r\n\r\nThe licence\r\n"
)
TEXT = b"TITLE\n\nChapter I\n\n\nIt was.\n\nTHE END\n"


def digits(line):
    return hashlib.sha256(line).hexdigest()[:8]


def novel(text=TEXT, encoding="utf-8"):
    blocks = (Block(digits(b"TITLE"), 3, 3), Block(digits(b"It was."), 3, 1))
    sha = hashlib.sha256(text).hexdigest()
    url = "https://example.org/t.txt"
    return Novel("ann/T.txt", 1, 8, len(text), sha, url, encoding, blocks)


def test_the_manifest_names_22_authors_and_12_million_words():
    known = novels()
    assert len({entry.file.split("/")[0] for entry in known}) == 22
    assert sum(entry.words for entry in known) == 12_026_324
    assert len({entry.sha256 for entry in known}) == len(known)
    assert all(entry.blocks for entry in known)


def test_a_text_is_what_its_blocks_say():
    assert restore(FILE, novel()) == TEXT


def test_an_edited_file_is_refused():
    with pytest.raises(ValueError, match=r"ann/T\.txt .* got other lines"):
        restore(FILE.replace(b"It was", b"It is"), novel())


def test_a_text_is_fetched_restored_and_checked(monkeypatch, tmp_path):
    known = novel()
    file = File(known.file, known.sha256, known.size)
    address = Address(
        known.address, (("", known.file),), lambda raw: restore(raw, known)
    )
    entry = dataclasses.replace(
        catalog.CATALOG["novels"], files=(file,), addresses=(address,)
    )
    monkeypatch.setitem(catalog.CATALOG, "novels", entry)

    def retrieve(url, folder):
        (folder / "fetched").write_bytes(FILE)
        return folder / "fetched"

    monkeypatch.setattr(download, "_retrieve", retrieve)
    folder = download.fetch("novels")
    assert (folder / "ann" / "T.txt").read_bytes() == TEXT
    found = {one.data.name: one.where for one in download.available()}
    assert found["novels"] == folder


def test_what_no_address_offers_is_not_called_fetched():
    with pytest.raises(ConnectionError, match=r"function words .*no address known"):
        download.fetch("function-words")


def test_the_real_texts_restore_to_themselves(real_novels):
    for entry in novels()[::20]:
        content = (real_novels / "novels" / entry.file).read_bytes()
        kept = dataclasses.replace(entry, encoding="utf-8")
        framed = b"A licence\n\n\n" + content + b"\n\n\nA licence\n"
        if len(entry.blocks) == 1:  # elsewhere lines between blocks are gone
            assert restore(framed, kept) == content, entry.file
