"""The text form of ratings: what is read, what is refused."""

import re

import numpy as np
import pytest

from vicinal.datasets.movies import read
from vicinal.datasets.ratings import parse_ratings, rating_matrix


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"1\t1\t6\t0\n", "ratings of 1 to 5 stars, got 6 in line 1"),
        (b"1\t1\t5\t0\n1\t2\t0\t0\n", "ratings of 1 to 5 stars, got 0 in line 2"),
        (b"1\t1\t5\t0\n1\t1\t4\t1\n", "and movie 1 in lines 1 and 2; drop one"),
        (
            b"1\t1\t5\t0\n2\t2\t5\t0\n3\t3\t5\t0\n2\t2\t4\t1\n",
            "user 2 and movie 2 in lines 2 and 4",
        ),
        (b"1\t%d\t5\t0\n" % 10**12, "to 1,000,000 at most"),
        (b"1\t1\t5\t" + b"9" * 5000, "whole numbers between tabs"),
        (b"1\t1\t5\n", "whole numbers between tabs, got b'1\\t1\\t5' in line 1"),
        (b"1\t1\t3.5\t0\n", "whole numbers between tabs"),
        (b"0\t1\t3\t0\n", "count users and movies from 1"),
        (b"", "at least one rating, got none"),
    ],
)
def test_bad_ratings_are_refused(text, told):
    with pytest.raises(ValueError, match=re.escape(told.replace("\t", "\\t"))):
        parse_ratings(text)


def test_a_matrix_holds_what_is_seen_and_nothing_else():
    ratings = parse_ratings(b"1\t1\t4\t0\n1\t3\t2\t0\n2\t2\t5\t0\n")
    assert rating_matrix(ratings, np.array([1, 2])).tolist() == [[0, 0, 2], [0, 5, 0]]


def test_movielens_has_the_published_counts(real_data):
    ratings = read(real_data)
    assert (ratings.num_users, ratings.num_movies) == (943, 1682)
    assert np.bincount(ratings.stars).tolist() == [0, 6110, 11370, 27145, 34174, 21201]
    assert ratings.stars.mean() == pytest.approx(3.52986)
