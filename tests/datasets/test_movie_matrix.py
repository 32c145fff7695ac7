"""All ratings as one task: the same splits, targets scored on their own."""

import numpy as np
import pytest
from datasets.made_up_ratings import made_up_ratings

from vicinal.datasets.movie_matrix import Settings, load, make_task
from vicinal.datasets.rating_splits import most_rated, split_ratings


@pytest.mark.parametrize("side", ["users", "movies"])
def test_splits_and_parts_are_those_of_the_targets(side):
    ratings = made_up_ratings()
    task = make_task(ratings, Settings(targets=side), 2)
    split = split_ratings(ratings, side, 2)
    assert task.test.tolist() == split.test.tolist()
    column = task.x[:, 0 if side == "users" else 1]
    for (name, rows), node in zip(task.parts, most_rated(ratings, side), strict=True):
        assert name == str(node + 1)
        assert set(rows.tolist()) <= set(task.test.tolist())
        assert column[rows].eq(node).all()


@pytest.mark.parametrize("network", ["rated", "similar"])
def test_networks_are_made_of_training_ratings_only(network):
    ratings = made_up_ratings()
    split = split_ratings(ratings, "users", 0)
    stars = ratings.stars.copy()
    stars[split.test] = 6 - stars[split.test]
    changed = type(ratings)(ratings.users, ratings.movies, stars, 60, 50)
    graphs = [
        make_task(given, Settings(network=network), 0).graph.to_dense()
        for given in (ratings, changed)
    ]
    assert graphs[0].equal(graphs[1])
    assert graphs[0].any()


@pytest.mark.parametrize("network", ["rated", "similar"])
def test_a_validation_part_is_in_no_network(network):
    ratings = made_up_ratings()
    settings = Settings(network=network, split="u1", validated=True)
    task = make_task(ratings, settings, 0)
    whole = make_task(ratings, Settings(network=network, split="u1"), 0)
    assert sorted([*task.train.tolist(), *task.valid.tolist()]) == whole.train.tolist()
    assert task.test.equal(whole.test)
    assert len(task.valid) == len(whole.train) // 10
    assert dict(task.facts)["valid"] == len(task.valid)
    stars = ratings.stars.copy()
    stars[task.valid.numpy()] = 6 - stars[task.valid.numpy()]
    changed = type(ratings)(ratings.users, ratings.movies, stars, 60, 50)
    other = make_task(changed, settings, 0)
    assert task.graph.to_dense().equal(other.graph.to_dense())


def test_feature_graphs_are_the_published_ones(real_data):
    task = load(Settings(network="features", split="u1"), 0, real_data)
    adjacency = task.graph.to_dense().numpy()
    assert np.array_equal(adjacency, adjacency.T)
    users, movies = adjacency[:943, :943], adjacency[943:, 943:]
    assert [int(a.sum()) for a in (users, movies)] == [12_594, 28_928]
    assert [int(a.sum(1).min()) for a in (users, movies)] == [10, 10]
    assert [int(a.sum(1).max()) for a in (users, movies)] == [55, 416]
    assert not adjacency[:943, 943:].any()


def test_broken_feature_graphs_are_refused():
    settings = Settings(network="features")
    with pytest.raises(ValueError, match=r"`feature-graphs.npz` must hold two lists"):
        make_task(made_up_ratings(), settings, 0, b"no archive")
