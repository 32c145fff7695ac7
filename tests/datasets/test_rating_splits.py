"""Splits: exact shares of the targets, drawn by line and not by value."""

import dataclasses

import numpy as np
import pytest
from datasets.made_up_ratings import made_up_ratings

from vicinal.datasets.movies import read
from vicinal.datasets.rating_splits import most_rated, split_ratings
from vicinal.experiments import config

USERS = [405, 655, 13, 450, 276, 416, 537, 303, 234, 393]
USERS += [181, 279, 429, 846, 7, 94, 682, 308, 92, 293]
USER_COUNTS = [737, 685, 636, 540, 518, 493, 490, 484, 480, 448]
USER_COUNTS += [435, 434, 414, 405, 403, 400, 399, 397, 388, 388]
MOVIES = [50, 258, 100, 181, 294, 286, 288, 1, 300, 121]
MOVIES += [174, 127, 56, 7, 98, 237, 117, 172, 222, 204]
MOVIE_COUNTS = [583, 509, 508, 507, 485, 481, 478, 452, 431, 429]
MOVIE_COUNTS += [420, 413, 394, 392, 390, 384, 378, 367, 365, 350]
SIDES = {"users": (USERS, USER_COUNTS), "movies": (MOVIES, MOVIE_COUNTS)}


@pytest.fixture(scope="module")
def movielens(real_data):
    return read(real_data)


def assert_whole(split, count):
    parts = np.concatenate([split.train, split.valid, split.test])
    assert np.array_equal(np.sort(parts), np.arange(count))


@pytest.mark.parametrize("side", SIDES)
def test_the_targets_are_the_published_ones(movielens, side):
    targets, counts = SIDES[side]
    assert [node + 1 for node in most_rated(movielens, side)] == targets
    nodes = getattr(movielens, side)
    assert [int((nodes == node - 1).sum()) for node in targets] == counts


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(5))
def test_one_split_serves_all_targets(movielens, side, seed):
    split = split_ratings(movielens, side, seed)
    assert_whole(split, 100_000)
    assert len(split.test) == 10_000
    nodes = getattr(movielens, side)[split.test]
    for target, count in zip(*SIDES[side], strict=True):
        assert (nodes == target - 1).sum() == count // 10


@pytest.mark.parametrize(
    ("name", "side"), [("movies-users", "users"), ("movies-items", "movies")]
)
def test_the_papers_counts_of_samples_come_out(movielens, name, side):
    published = config.find(name).published
    nodes = getattr(movielens, side)
    split = split_ratings(movielens, side, 0)
    for row in published["samples"]:
        for part in ("train", "test"):
            found = (nodes[getattr(split, part)] == row["target"] - 1).sum()
            assert found == row[part]
    targets, counts = SIDES[side]
    for row in published["means"]:  # of pooled totals, and of no split
        total = sum(counts[: row["first"]])
        assert (row["train"], row["test"]) == (total - total // 10, total // 10)
    assert targets[:5] == [row["target"] for row in published["samples"]]


def test_u1_tests_the_first_fifth_of_the_file(movielens):
    parts = [split_ratings(movielens, "users", 0, name=f"u{i}") for i in range(1, 6)]
    assert parts[0].test.tolist() == list(range(20_000))
    users = [len(np.unique(movielens.users[part.test])) for part in parts]
    assert users == [459, 653, 869, 923, 927]


@pytest.mark.parametrize("side", SIDES)
def test_a_split_does_not_depend_on_stars(side):
    ratings = made_up_ratings()
    other = dataclasses.replace(ratings, stars=6 - ratings.stars)
    one, two = (split_ratings(r, side, 3, validated=True) for r in (ratings, other))
    for part in ("train", "valid", "test"):
        assert np.array_equal(getattr(one, part), getattr(two, part))
    assert_whole(one, len(ratings.stars))


def test_seeds_differ_and_repeat():
    ratings = made_up_ratings()
    tests = [split_ratings(ratings, "users", seed).test.tolist() for seed in (0, 1, 0)]
    assert tests[0] == tests[2] != tests[1]


def test_a_validation_part_leaves_the_test_part_alone():
    ratings = made_up_ratings()
    with_valid = split_ratings(ratings, "users", 0, validated=True)
    without = split_ratings(ratings, "users", 0)
    assert np.array_equal(with_valid.test, without.test)
    assert len(with_valid.valid) == len(without.train) // 10
    assert len(without.valid) == 0
