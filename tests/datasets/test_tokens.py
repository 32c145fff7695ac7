"""Words and cuts of a text, against a slow reading of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vicinal.datasets.tokens import tokenize

LIST = ["of", "the", "don't"]


def test_words_keep_their_place_and_cuts_stand_before_the_next():
    tokens = tokenize("Of cats; the dog! of 12 men: don't... The", LIST)
    assert tokens.ids.tolist() == [0, -1, 1, -1, 0, -1, 2, 1]
    assert tokens.cuts.tolist() == [False, False, True, False, True, False, True, True]


@pytest.mark.parametrize("mark", ".!?;:")
def test_each_mark_cuts(mark):
    assert tokenize(f"of{mark} the", LIST).cuts.tolist() == [False, True]


@pytest.mark.parametrize("mark", [",", "-", "(", '"', "\n", "_"])
def test_no_other_mark_cuts(mark):
    tokens = tokenize(f"of{mark} the", LIST)
    assert tokens.ids.tolist() == [0, 1]
    assert not tokens.cuts.any()


def test_both_apostrophes_are_one():
    plain, curly = tokenize("don't", LIST), tokenize("don\u2019t", LIST)
    assert plain.ids.tolist() == curly.ids.tolist() == [2]


def test_a_text_without_words_is_empty():
    assert tokenize("... 17 !", LIST).ids.size == 0


@given(st.lists(st.sampled_from(["of", "the", "cat", ".", ";"]), max_size=40))
def test_like_a_reader_who_goes_word_by_word(parts):
    ids, cuts, cut = [], [], False
    for part in parts:
        if part in ".;":
            cut = True
            continue
        ids.append(LIST.index(part) if part in LIST else -1)
        cuts.append(cut)
        cut = False
    tokens = tokenize(" ".join(parts), LIST)
    assert np.array_equal(tokens.ids, ids)
    assert np.array_equal(tokens.cuts, cuts)
