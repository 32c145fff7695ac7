"""Against SciPy, against hand computation, and where numbers are undefined."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from vicinal.experiments.statistics import compare, holm, p_value, summarize

NUMBERS = st.lists(st.integers(-1000, 1000), min_size=2, max_size=30).map(
    lambda values: [value / 16 for value in values]
)


@given(NUMBERS)
def test_summary_is_scipys(values):
    found = summarize(values)
    assert found.n == len(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.se == pytest.approx(stats.sem(values), abs=1e-12)
    if found.se > 0:
        interval = stats.t.interval(0.95, found.n - 1, found.mean, found.se)
        assert (found.low, found.high) == pytest.approx(interval)


@given(NUMBERS, st.sampled_from([0.0, 1.5, -3.0]))
def test_p_value_is_scipys_and_dual_to_the_interval(values, margin):
    found = summarize(values)
    p = p_value(found, margin)
    if found.se > 0:
        assert p == pytest.approx(stats.ttest_1samp(values, margin).pvalue)
    outside = not found.low <= margin <= found.high
    assert (p < 0.05) == outside


def test_by_hand():
    # mean 3, deviations -2 0 2, s = 2, se = 2 / sqrt 3, t(2) = 4.302653
    found = summarize([1, 3, 5])
    assert found.se == pytest.approx(1.1547005)
    assert found.low == pytest.approx(3 - 4.302653 * 1.1547005, abs=1e-6)


def test_one_value_has_no_interval():
    found = summarize([0.7])
    assert (found.n, found.mean) == (1, 0.7)
    assert all(map(math.isnan, (found.se, found.low, found.high, p_value(found))))


def test_no_value_has_no_mean():
    assert math.isnan(summarize([]).mean)


def test_constant_values_have_an_interval_of_no_width():
    found = summarize([0.1] * 7)
    assert (found.low, found.mean, found.high) == pytest.approx((0.1,) * 3)
    assert p_value(found) == 0.0
    assert p_value(found, 0.1) == 1.0


def test_pairs_are_the_seeds_in_common():
    found = compare({0: 1.0, 1: 2.0, 5: 9.0}, {1: 1.5, 0: 0.0, 7: 3.0})
    assert found.difference == summarize([1.0, 0.5])
    assert (found.wins, found.ties) == (2, 0)


def test_lower_may_win():
    found = compare({0: 1.0, 1: 2.0}, {0: 3.0, 1: 2.0}, higher_wins=False)
    assert (found.wins, found.ties, found.difference.mean) == (1, 1, -1.0)


def test_signed_rank_by_hand():
    # five differences of one sign: 2 of 2^5 sign patterns are as extreme
    found = compare(dict(enumerate([1, 2, 3, 4, 5])), dict.fromkeys(range(5), 0))
    assert found.wilcoxon == pytest.approx(2 / 32)


@given(NUMBERS)
def test_signed_rank_is_scipys(values):
    found = compare(dict(enumerate(values)), dict.fromkeys(range(len(values)), 0.0))
    moved = [value for value in values if value]
    if not moved:
        assert found.wilcoxon == 1.0
    elif len({abs(value) for value in moved}) == len(moved):
        expected = stats.wilcoxon(moved, method="exact").pvalue
        assert found.wilcoxon == pytest.approx(expected)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_signed_rank_of_ties_is_that_of_all_sign_patterns(values):
    found = compare(dict(enumerate(values)), dict.fromkeys(range(len(values)), 0))
    moved = np.array([value for value in values if value])
    ranks = stats.rankdata(np.abs(moved))
    half = ranks.sum() / 2
    patterns = itertools.product([0, 1], repeat=len(moved))
    far = [abs(ranks @ np.array(signs) - half) for signs in patterns if signs]
    seen = abs(ranks[moved > 0].sum() - half)
    expected = np.mean(np.array(far) >= seen) if far else 1.0
    assert found.wilcoxon == pytest.approx(expected)


def test_all_ties():
    found = compare({0: 0.5, 1: 0.75}, {0: 0.5, 1: 0.75})
    assert (found.wins, found.ties, found.wilcoxon) == (0, 2, 1.0)
    assert p_value(found.difference) == 1.0


def test_rounding_noise_is_a_tie():
    assert compare({0: 0.1 + 0.2}, {0: 0.3}).ties == 1


def test_no_pair():
    found = compare({0: 1.0}, {1: 1.0})
    assert found.difference.n == 0
    assert math.isnan(found.wilcoxon)


def test_a_diverged_run_is_not_hidden():
    found = compare({0: math.nan, 1: 1.0}, {0: 1.0, 1: 0.5})
    assert math.isnan(found.difference.mean)
    assert math.isnan(found.wilcoxon)


@pytest.mark.parametrize(
    "values", [[math.inf, 1.0], [math.inf, -math.inf], [math.nan, 1]]
)
def test_infinity_has_no_interval(values):
    found = summarize(values)
    assert not math.isfinite(found.mean)
    assert math.isnan(found.low)
    assert math.isnan(p_value(found))
    assert math.isnan(compare(dict(enumerate(values)), {0: 1.0, 1: 2.0}).wilcoxon)


def test_holm_by_hand():
    # sorted .005 .01 .03 .04 times 4 3 2 1, then made monotone
    found = holm([0.01, 0.04, 0.03, 0.005])
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stays_below_one_and_skips_nan():
    found = holm([0.9, math.nan, 0.8])
    assert found[0] == found[2] == 1.0
    assert math.isnan(found[1])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_only_raises_and_keeps_the_order(values):
    found = holm(values)
    assert all(a >= p for a, p in zip(found, values, strict=True))
    order = np.argsort(values, kind="stable")
    assert all(np.diff(np.array(found)[order]) >= 0)
