"""Which of n sorted values is meant, as integers."""

from fractions import Fraction

import brute
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal.kernels import rank


def median_of(values):
    return sorted(values)[rank.UPPER_MEDIAN.position(len(values))]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 3, 4], 3),
        ([5], 5),
        ([1, 2, 3], 2),
        ([1, 1, 2, 2], 2),
        ([-4, -3, -2, -1], -2),
        ([-1, 0], 0),
    ],
)
def test_median_is_the_one_of_the_paper(values, expected):
    assert median_of(values) == expected


@pytest.mark.parametrize("count", range(1, 51))
def test_upper_median_is_value_number_n_div_2_plus_1(count):
    values = torch.rand(count, dtype=torch.float64).tolist()
    assert median_of(values) == sorted(values)[count // 2 + 1 - 1]


@pytest.mark.parametrize("count", range(1, 51))
def test_lower_median_is_that_of_torch(count):
    values = torch.rand(count, dtype=torch.float64)
    at = rank.LOWER_MEDIAN.position(count)
    assert values.sort().values[at] == values.median()


@pytest.mark.parametrize("count", [1, 2, 7, 2**31 - 1])
def test_extremes_are_first_and_last(count):
    assert rank.MIN.position(count) == rank.quantile(0.0).position(count) == 0
    assert rank.MAX.position(count) == rank.quantile(1.0).position(count) == count - 1


def test_rank_one_half_of_an_even_set_is_not_the_median_of_the_paper():
    assert rank.quantile(0.5).position(4) == 1
    assert rank.UPPER_MEDIAN.position(4) == 2


@settings(deadline=None, max_examples=200, derandomize=True)
@given(thousandths=st.integers(0, 1000), count=st.integers(1, 2**31 - 1))
def test_quantile_reads_its_decimal_digits(thousandths, count):
    q = thousandths / 1000
    expected = brute.quantile(f"{thousandths}e-3")(count)
    assert rank.quantile(q).position(count) == expected


@settings(deadline=None, max_examples=200, derandomize=True)
@given(q=st.floats(0, 1), count=st.integers(1, 2**31 - 1))
def test_every_quantile_names_a_value_of_the_set(q, count):
    position = rank.quantile(q).position(count)
    assert 0 <= position < count
    assert abs(position - Fraction(q) * (count - 1)) < 1 + count * 1e-9


@settings(deadline=None, max_examples=100, derandomize=True)
@given(
    rule=st.sampled_from([rank.MIN, rank.MAX, rank.LOWER_MEDIAN, rank.UPPER_MEDIAN])
    | st.floats(0, 1).map(rank.quantile),
    counts=st.lists(st.integers(1, 2**31 - 1), min_size=1, max_size=5),
)
def test_positions_of_a_tensor_never_overflow(rule, counts):
    found = rule.positions(torch.tensor(counts, dtype=torch.int64))
    assert found.tolist() == [rule.position(count) for count in counts]


@pytest.mark.parametrize("q", [-0.1, 1.1, float("nan"), float("inf"), -1])
def test_quantile_outside_the_unit_interval_is_refused(q):
    with pytest.raises(ValueError, match=r"`q` must be in the range \[0, 1\], got"):
        rank.quantile(q)


@pytest.mark.parametrize(("q", "named"), [("0.5", "str"), (True, "bool"), (None, "No")])
def test_quantile_that_is_no_number_is_refused(q, named):
    with pytest.raises(TypeError, match=f"`q` must be a number, got {named}"):
        rank.quantile(q)


def test_numbers_of_numpy_are_numbers():
    for q in (np.float32(0.29), np.float64(0.29)):
        assert rank.quantile(q) == rank.quantile(0.29)
    assert rank.quantile(np.int64(1)) == rank.MAX
