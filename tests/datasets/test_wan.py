"""Word adjacency networks against hand-made sentences and a slow double loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vicinal.datasets.wan import Window, adjacency, normalized

A, B, OTHER = 0, 1, -1


def pairs(words, ends=None, **window):
    words = np.array(words, dtype=np.int16)
    cuts = np.zeros(words.shape, bool) if ends is None else np.array(ends, dtype=bool)
    return adjacency(words, cuts, 2, Window(**window))


def test_order_matters():
    found = pairs([[A, B]])
    assert found.tolist() == [[0, 1], [0, 0]]


def test_other_words_take_their_place():
    assert pairs([[A, OTHER, OTHER, B]])[A, B] == 0.75**2


def test_the_window_ends():
    near, far = [A, *[OTHER] * 9, B], [A, *[OTHER] * 10, B]
    assert pairs([near])[A, B] == pytest.approx(0.75**9)
    assert pairs([far])[A, B] == 0


def test_a_cut_ends_the_window_unless_told_otherwise():
    assert pairs([[A, B]], [[0, 1]])[A, B] == 0
    assert pairs([[A, B]], [[0, 1]], cuts=False)[A, B] == 1
    assert pairs([[A, B]], [[1, 0]])[A, B] == 1


def test_windows_do_not_cross_excerpts():
    assert pairs([[OTHER, A], [B, OTHER]]).sum() == 0


def test_flat_counts_weigh_all_distances_alike():
    assert pairs([[A, OTHER, B, B]], discount=1.0)[A, B] == 2


def test_rows_sum_to_one_or_zero():
    found = normalized(pairs([[A, B, B]]))
    assert found.sum(1).tolist() == [1, 1]
    assert normalized(pairs([[A, OTHER, B]])).sum(1).tolist() == [1, 0]


def slowly(words, cuts, num_words, window):
    total = np.zeros((num_words, num_words))
    for text, ends in zip(words, cuts, strict=True):
        for e, i in enumerate(text):
            for d in range(1, window.reach + 1):
                if e + d >= len(text) or (window.cuts and ends[e + d]):
                    break
                if i >= 0 and text[e + d] >= 0:
                    total[i, text[e + d]] += window.discount ** (d - 1)
    return total


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 12),
    st.sampled_from([0.5, 0.75, 1.0]),
    st.booleans(),
)
def test_like_a_double_loop(seed, reach, discount, cuts):
    rng = np.random.default_rng(seed)
    words, ends = rng.integers(-1, 4, (5, 17)), rng.random((5, 17)) < 0.2
    window = Window(reach, discount, cuts)
    found = adjacency(words, ends, 4, window)
    np.testing.assert_allclose(found, slowly(words, ends, 4, window), atol=1e-12)
