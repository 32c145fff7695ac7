"""Linear graph filters of ratings, against hand-made numbers and plain loops."""

import pytest
import torch

from vicinal.rivals.rating_filters import (
    centered,
    cross_features,
    filter_features,
    fit_taps,
    row_weights,
)

RATINGS = torch.tensor(
    [[5.0, 3.0, 0.0, 1.0], [4.0, 0.0, 2.0, 1.0], [0.0, 5.0, 4.0, 0.0], [1.0, 2.0, 0, 5]]
).double()


def draw(users=9, movies=7, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ratings = torch.randint(1, 6, (users, movies), generator=generator).double()
    ratings *= torch.rand(users, movies, generator=generator) < 0.6
    alike = [
        torch.rand(n, n, generator=generator, dtype=torch.float64) - 0.3
        for n in (users, movies)
    ]
    alike = [(a + a.T) / 2 * (1 - torch.eye(len(a))) for a in alike]
    return ratings, *alike


def network(similarity, rated, neighbors):
    """Row by row: raters' positive similarities, the largest, divided by their sum."""
    made = torch.zeros_like(similarity)
    for u in range(len(similarity)):
        known = [(float(similarity[u, v]), v) for v in range(len(rated)) if rated[v]]
        kept = sorted((k for k in known if k[0] > 0), reverse=True)[:neighbors]
        for value, v in kept:
            made[u, v] = value / sum(value for value, _ in kept)
    return made


def every_pair(ratings):
    return torch.cartesian_prod(*(torch.arange(n) for n in ratings.shape))


def test_one_tap_is_nearest_neighbour_filtering_by_hand():
    x, means = centered(RATINGS)
    alike = torch.tensor([[0, 0.6, 0.2, -0.9]] * 4).double()
    found = filter_features(x, RATINGS > 0, alike, torch.tensor([[0, 2]]), 1)
    # raters of movie 2: user 1 (2 - 7/3) and user 2 (4 - 4.5)
    by_hand = (0.6 * (2 - 7 / 3) + 0.2 * (4 - 4.5)) / 0.8
    assert found.item() == pytest.approx(by_hand)
    assert means.tolist() == pytest.approx([3, 7 / 3, 4.5, 8 / 3])


def test_rows_sum_to_one_or_zero():
    _, alike, _ = draw()
    alike[3] = -alike[3].abs()
    weights = row_weights(alike, 4)
    assert weights[3].sum() == 0
    sums = weights.sum(1)
    assert bool(((sums - 1).abs() < 1e-12).logical_or(sums == 0).all())
    assert (weights > 0).sum(1).max() <= 4


@pytest.mark.parametrize("neighbors", [2, 40])
def test_orders_are_powers_of_each_movies_network(neighbors):
    ratings, alike, _ = draw()
    x, _ = centered(ratings)
    rated, pairs = ratings > 0, every_pair(ratings)
    found = filter_features(x, rated, alike, pairs, 3, neighbors=neighbors)
    for (u, i), row in zip(pairs.tolist(), found, strict=True):
        step = network(alike, rated[:, i], neighbors)
        expected = [torch.linalg.matrix_power(step, k) @ x[:, i] for k in (1, 2, 3)]
        torch.testing.assert_close(row, torch.stack(expected)[:, u])


def test_without_cycles_a_known_rating_does_not_answer_for_itself():
    ratings, alike, _ = draw()
    x, _ = centered(ratings)
    rated, pairs = ratings > 0, (ratings > 0).nonzero()
    for pair in pairs:
        other = x.clone()
        other[pair[0], pair[1]] += 7.0
        one, two = (
            filter_features(given, rated, alike, pair[None], 4, cycles=False)
            for given in (x, other)
        )
        torch.testing.assert_close(one, two)


def test_mirror_filtering_passes_both_networks():
    ratings, users, movies = draw()
    x, _ = centered(ratings)
    rated, pairs = ratings > 0, every_pair(ratings)
    found = cross_features(x, rated, users, movies, pairs, neighbors=3)
    for (u, i), value in zip(pairs.tolist(), found[:, 0], strict=True):
        b, c = network(users, rated[:, i], 3), network(movies, rated[u], 3)
        torch.testing.assert_close(value, (b @ x @ c.T)[u, i])


def test_taps_are_the_least_squares_solution():
    features = torch.randn(30, 3, dtype=torch.float64)
    values = features @ torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    torch.testing.assert_close(fit_taps(features, values).tolist(), [1.0, -2.0, 0.5])


def test_a_user_without_ratings_has_the_mean_of_all():
    _, means = centered(torch.tensor([[0.0, 0.0], [2.0, 4.0]]))
    assert means.tolist() == [3.0, 3.0]
