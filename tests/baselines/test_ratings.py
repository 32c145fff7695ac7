"""Baselines of ratings: what can be said by hand, or by scikit-learn."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from vicinal.baselines.ratings import biases, factors, neighbors, node_means

RATINGS = torch.tensor([[5.0, 3.0, 0.0], [4.0, 0.0, 2.0], [0.0, 0.0, 0.0]])


def test_means_by_hand():
    assert node_means(RATINGS, None).unique().tolist() == [3.5]
    assert node_means(RATINGS, 1)[:, 0].tolist() == [4.0, 3.0, 3.5]
    assert node_means(RATINGS, 0)[0].tolist() == [4.5, 3.0, 2.0]


def test_users_differ_by_a_constant_and_movies_are_in_order():
    found = biases(RATINGS)
    assert found[2].tolist() == pytest.approx(
        (found[0] - found[0, 0] + found[2, 0]).tolist()
    )
    assert found[0, 0] > found[0, 1] > found[0, 2]


def test_biases_of_equal_shrinkage_are_ridge_regression():
    """With as many ratings, ridge with two penalties has the same solution."""
    generator = torch.Generator().manual_seed(0)
    ratings = torch.randint(1, 6, (8, 6), generator=generator).double()
    mean = float(ratings.mean())
    rows = np.zeros((48, 14))
    for place, (u, i) in enumerate(np.ndindex(8, 6)):
        rows[place, u] = 1 / np.sqrt(15)
        rows[place, 8 + i] = 1 / np.sqrt(10)
    target = ratings.flatten().numpy() - mean
    ridge = Ridge(alpha=1.0, fit_intercept=False, tol=1e-12).fit(rows, target)
    expected = mean + ridge.predict(rows).reshape(8, 6)
    np.testing.assert_allclose(biases(ratings).numpy(), expected, atol=1e-6)


def test_neighbours_who_agree_move_the_answer():
    ratings = torch.tensor([[5.0, 0.0, 4.0], [5.0, 1.0, 4.0], [1.0, 5.0, 2.0]])
    like_first = torch.tensor([[0.0, 0.9, -0.5], [0.9, 0.0, 0.0], [0.0, 0.0, 0.0]])
    found, base = neighbors(ratings, like_first), biases(ratings)
    assert found[0, 1] - base[0, 1] == pytest.approx(float(1.0 - base[1, 1]), abs=1e-6)
    assert found[2].tolist() == pytest.approx(base[2].tolist())


def test_factors_recover_a_low_rank_matrix():
    generator = torch.Generator().manual_seed(1)
    u = torch.randn(30, 1, generator=generator).double().tanh()
    v = torch.randn(1, 25, generator=generator).double().tanh()
    full = 3 + 1.5 * u @ v
    hidden = torch.rand(30, 25, generator=generator) < 0.2
    known = torch.where(hidden, 0.0, full)
    found = factors(known, rank=1, penalty=1e-3)
    error = (found - full)[hidden].square().mean().sqrt()
    plain = (biases(known) - full)[hidden].square().mean().sqrt()
    assert error < 0.3 * plain
