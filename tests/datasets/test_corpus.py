"""Numbers of words: kept in the cache whole or not at all, made again if broken."""

import numpy as np
import pytest

from vicinal.datasets import corpus as module
from vicinal.datasets import storage
from vicinal.datasets.corpus import kept, key, make_corpus
from vicinal.datasets.texts import Text
from vicinal.files import write

BOOKS = [Text("ann", "one", b"the cat. of the"), Text("bea", "two", b"of it")]
LIST = ("of", "the")


def make():
    return make_corpus(BOOKS, LIST)


def never():
    raise AssertionError("made again")


def test_what_is_kept_is_what_was_made():
    name = key("texts", LIST)
    made, again = kept(name, LIST, make), kept(name, LIST, never)
    for field in ("words", "authors", "titles"):
        assert getattr(made, field) == getattr(again, field)
    for field in ("starts", "ids", "cuts"):
        assert np.array_equal(getattr(made, field), getattr(again, field))


@pytest.mark.parametrize("content", [b"", b"PK no archive", b"\x80\x04."])
def test_a_broken_file_is_made_again(content):
    path = storage.cache_folder("tokens") / "x.npz"
    write(path, content)
    assert kept("x", LIST, make).ids.tolist() == [1, -1, 0, 1, 0, -1]
    assert kept("x", LIST, never).ids.size == 6


def test_other_texts_or_words_have_another_name(monkeypatch):
    names = {key("a", LIST), key("b", LIST), key("a", LIST[::-1])}
    monkeypatch.setattr(module, "_VERSION", -1)
    assert len(names | {key("a", LIST)}) == 4


def test_every_text_is_told():
    seen = []
    make_corpus(BOOKS, LIST, lambda text: seen.append(text.title))
    assert seen == ["one", "two"]
