"""Similarity networks against NumPy's correlation, pair by pair."""

import numpy as np
import pytest
from datasets.made_up_ratings import made_up_ratings

from vicinal.datasets.movies import read
from vicinal.datasets.rating_splits import split_ratings
from vicinal.datasets.ratings import rating_matrix
from vicinal.datasets.similarity import pearson, similarity_graph, strongest


def by_pairs(matrix, least):
    r = np.zeros((len(matrix), len(matrix)))
    for u, v in np.ndindex(*r.shape):
        common = (matrix[u] > 0) & (matrix[v] > 0)
        a, b = matrix[u, common], matrix[v, common]
        if u != v and common.sum() >= least and a.std() > 0 and b.std() > 0:
            r[u, v] = np.corrcoef(a, b)[0, 1]
    return r


@pytest.fixture(scope="module")
def matrix():
    ratings = made_up_ratings()
    return rating_matrix(ratings, np.arange(len(ratings.stars)))


@pytest.mark.parametrize("least", [2, 10, 20])
@pytest.mark.parametrize("by", ["users", "movies"])
def test_correlations_are_those_of_common_ratings(matrix, least, by):
    given = matrix if by == "users" else matrix.T
    found = pearson(given, least)
    np.testing.assert_allclose(found, by_pairs(given, least), atol=1e-12)


def test_two_who_share_nothing_are_not_similar():
    matrix = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 2.0]])
    assert pearson(matrix, 1).tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("signed", [False, True])
def test_the_strongest_of_each_row_are_kept(matrix, signed):
    r = pearson(matrix, 5)
    kept = strongest(r, 7, signed)
    for row, left in zip(r, kept, strict=True):
        known = row[row != 0] if signed else row[row > 0]
        assert sorted(left[left != 0]) == sorted(known)[-7:]
        assert set(left[left != 0]) <= set(row)


def test_edges_enter_the_row(matrix):
    graph = similarity_graph(matrix, 3, 10)
    expected = strongest(pearson(matrix, 10), 3, signed=False)
    np.testing.assert_allclose(graph.to_dense().numpy(), expected)
    assert not np.diag(expected).any()


@pytest.mark.parametrize("side", ["users", "movies"])
def test_movielens_networks(real_data, side):
    ratings = read(real_data)
    seen = rating_matrix(ratings, split_ratings(ratings, side, 0).train)
    r = pearson(seen if side == "users" else seen.T, 10)
    assert np.array_equal(r, r.T)
    assert np.abs(r).max() <= 1
    kept = strongest(r, 40, signed=False)
    degrees = (kept > 0).sum(axis=1)
    assert degrees.max() == 40
    if side == "users":  # the paper has 38.3
        assert degrees.mean() == pytest.approx(38.7, abs=0.3)
