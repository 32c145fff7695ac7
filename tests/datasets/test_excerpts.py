"""Excerpts: whole, of one book, counted like a reader counts."""

import numpy as np
import pytest

from vicinal.datasets.corpus import make_corpus
from vicinal.datasets.excerpts import counts, cut_excerpts
from vicinal.datasets.texts import Text

BOOKS = [
    Text("ann", "one", b"the cat and the dog. and so"),
    Text("ann", "two", b"of the"),
    Text("bea", "one", b"the of of the end"),
]
LIST = ("and", "of", "the")


@pytest.fixture
def excerpts():
    return cut_excerpts(make_corpus(BOOKS, LIST), 3)


def test_no_excerpt_reaches_over_the_end_of_a_book(excerpts):
    words = excerpts.words(np.arange(3))
    assert words.tolist() == [[2, -1, 0], [2, -1, 0], [2, 1, 1]]
    assert [excerpts.names[a] for a in excerpts.author] == ["ann", "ann", "bea"]
    assert excerpts.book.tolist() == [0, 0, 2]
    assert excerpts.of("bea").tolist() == [2]


def test_cuts_are_those_before_its_words(excerpts):
    assert excerpts.cuts(np.arange(2)).tolist() == [[False] * 3, [False, False, True]]


def test_counts_are_at_most_the_length(excerpts):
    found = counts(excerpts.words(np.arange(3)), 3)
    assert found.tolist() == [[1, 0, 1], [1, 0, 1], [0, 2, 1]]
    assert (found.sum(1) <= excerpts.length).all()


def test_an_author_with_fewer_words_than_an_excerpt_is_told():
    corpus = make_corpus([Text("ann", "one", b"the cat"), BOOKS[2]], LIST)
    with pytest.raises(ValueError, match=r"`excerpt` must be .*'ann', got 3 and 2 wor"):
        cut_excerpts(corpus, 3)
