"""Splits: balanced, disjoint, and without the author among the others."""

import numpy as np
import pytest
from datasets.library import AUTHORS, WORDS, book

from vicinal.datasets.authorship_split import by_book, random_split, with_validation
from vicinal.datasets.corpus import make_corpus
from vicinal.datasets.excerpts import cut_excerpts
from vicinal.datasets.texts import Text


def shelf(books=3, length=120):
    texts = [
        Text(author, f"book{number}", book(author, number, length).encode())
        for author in AUTHORS
        for number in range(books)
    ]
    return cut_excerpts(make_corpus(texts, WORDS), 10)


EXCERPTS = shelf()
SPLITS = [random_split, by_book]


def parts(split):
    return {"train": split.train, "valid": split.valid, "test": split.test}


@pytest.mark.parametrize("make", SPLITS)
@pytest.mark.parametrize("seed", range(5))
def test_balanced_disjoint_and_of_the_right_authors(make, seed):
    split = with_validation(make(EXCERPTS, "bea", ["ann", "cid"], seed), 0.25)
    everything = np.concatenate(
        [np.concatenate(part) for part in parts(split).values()]
    )
    assert len(np.unique(everything)) == len(everything)
    for own, others in parts(split).values():
        assert len(own) == len(others) > 0
        assert {EXCERPTS.names[a] for a in EXCERPTS.author[own]} == {"bea"}
        assert {EXCERPTS.names[a] for a in EXCERPTS.author[others]} <= {"ann", "cid"}


def test_80_percent_are_for_training():
    split = random_split(EXCERPTS, "bea", ["ann", "cid", "dot"], seed=0)
    assert (len(split.train[0]), len(split.test[0])) == (29, 7)  # of 36


def test_a_seed_always_draws_the_same_and_another_one_does_not():
    first, again, other = (
        random_split(EXCERPTS, "bea", ["ann"], seed) for seed in (3, 3, 4)
    )
    assert np.array_equal(first.train[1], again.train[1])
    assert not np.array_equal(first.train[0], other.train[0])


@pytest.mark.parametrize("seed", range(6))
def test_a_book_left_out_is_in_no_training_part(seed):
    split = by_book(EXCERPTS, "bea", ["ann", "cid", "dot"], seed)
    for trained, tested in zip(split.train, split.test, strict=True):
        books = set(EXCERPTS.book[trained]) & set(EXCERPTS.book[tested])
        assert not books
    own = np.unique(EXCERPTS.book[EXCERPTS.of("bea")])
    assert set(EXCERPTS.book[split.test[0]]) == {own[seed % 3]}
    assert len(split.test[0]) == 12


def test_the_test_part_does_not_depend_on_validation():
    split = random_split(EXCERPTS, "bea", ["ann", "cid"], seed=1)
    cut = with_validation(split, 0.25)
    assert np.array_equal(split.test[0], cut.test[0])
    joined = np.concatenate([cut.valid[0], cut.train[0]])
    assert sorted(joined) == sorted(split.train[0])


def test_one_book_cannot_be_left_out():
    with pytest.raises(ValueError, match="at least 2 books to leave one out, got 1"):
        by_book(shelf(books=1), "bea", ["ann"], seed=0)


@pytest.mark.parametrize("make", SPLITS)
def test_too_few_others_are_told(make):
    with pytest.raises(ValueError, match=r"as many excerpts of others .* got 0 for 36"):
        make(EXCERPTS, "bea", [], seed=0)


def test_one_excerpt_cannot_be_split():
    with pytest.raises(ValueError, match="at least 2 excerpts, got 1 of 'bea'"):
        random_split(shelf(books=1, length=19), "bea", ["ann", "cid"], seed=0)


def test_validation_must_leave_something():
    split = random_split(EXCERPTS, "bea", ["ann"], seed=0)
    with pytest.raises(ValueError, match=r"`validation` must leave .* got 0.001 of 29"):
        with_validation(split, 0.001)
