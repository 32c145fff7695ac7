"""Tasks of single users and movies: what they show, and what they must not."""

import dataclasses

import numpy as np
import pytest
import torch
from datasets.made_up_ratings import made_up_ratings

from vicinal import datasets
from vicinal.datasets.movies import MovieSettings, UserSettings, make_task
from vicinal.datasets.rating_splits import split_ratings
from vicinal.datasets.ratings import parse_ratings
from vicinal.nn import GNN
from vicinal.training import Training, fit

SMALL = {"target": 1, "common": 3, "strongest": 5}
KINDS = {"users": UserSettings, "movies": MovieSettings}


def task_of(ratings, side, seed=0, **more):
    return make_task(ratings, KINDS[side](**SMALL | more), side, seed)


def hidden_changed(ratings, side, part):
    """The same ratings, but the target's in one part are turned round."""
    split = split_ratings(ratings, side, 0, validated=True)
    lines = getattr(split, part)
    own = lines[getattr(ratings, side)[lines] == 0]
    assert len(own)
    stars = ratings.stars.copy()
    stars[own] = 6 - stars[own]
    return dataclasses.replace(ratings, stars=stars)


@pytest.mark.parametrize("side", KINDS)
def test_samples_show_the_others_and_not_the_target(side):
    ratings = made_up_ratings()
    task = task_of(ratings, side)
    split = split_ratings(ratings, side, 0)
    train = {
        (ratings.users[i], ratings.movies[i]): ratings.stars[i] for i in split.train
    }
    others = ratings.movies if side == "users" else ratings.users
    nodes = ratings.users if side == "users" else ratings.movies
    lines = np.concatenate([p[nodes[p] == 0] for p in (split.train, split.test)])
    assert torch.equal(task.target, torch.from_numpy(ratings.stars[lines]) - 1)
    assert task.x[:, 0].abs().max() == 0
    for sample, other in enumerate(others[lines]):
        for node in range(1, task.graph.num_nodes):
            pair = (node, other) if side == "users" else (other, node)
            assert task.x[sample, node, 0] == train.get(pair, 0)


def fitted(task):
    torch.manual_seed(0)
    nodes = task.graph.num_nodes
    model = GNN(
        1, [4], 5, taps=3, activation="median", readout="signal", num_nodes=nodes
    )
    fit(model, task, task.x, Training(epochs=2, batch=5), seed=0)
    return model.state_dict()


@pytest.mark.parametrize("side", KINDS)
@pytest.mark.parametrize("part", ["test", "valid"])
@pytest.mark.parametrize("centered", [False, True])
def test_hidden_ratings_change_nothing_that_is_learned(side, part, centered):
    ratings = made_up_ratings()
    changed = hidden_changed(ratings, side, part)
    one, two = (
        task_of(given, side, validated=True, centered=centered)
        for given in (ratings, changed)
    )
    assert not torch.equal(one.target, two.target)
    assert torch.equal(one.graph.to_dense(), two.graph.to_dense())
    assert torch.equal(one.x, two.x)
    weights = [fitted(task) for task in (one, two)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_training_ratings_do_change_what_is_learned():
    ratings = made_up_ratings()
    one, two = (
        task_of(given, "users", validated=True)
        for given in (ratings, hidden_changed(ratings, "users", "train"))
    )
    assert not torch.equal(one.graph.to_dense(), two.graph.to_dense())


def test_all_ratings_of_others_can_be_shown():
    ratings = made_up_ratings()
    shown, strict = (task_of(ratings, "users", visible=v) for v in ("all", "train"))
    assert (shown.x > 0).sum() > (strict.x > 0).sum()
    assert shown.x[:, 0].abs().max() == 0
    assert torch.equal(shown.graph.to_dense(), strict.graph.to_dense())


def test_centred_ratings_have_mean_zero_over_training_ratings():
    ratings = parse_ratings(
        b"".join(
            b"%d\t%d\t%d\t0\n" % (u, m, u) for u in (1, 2, 3) for m in range(1, 41)
        )
    )
    task = task_of(ratings, "users", centered=True)
    assert task.x.abs().max() == 0  # every user gives the same stars to all


def test_a_regression_head_is_asked_for_stars():
    ratings = made_up_ratings()
    task = task_of(ratings, "users", head="regression")
    assert (task.loss, task.num_outputs, task.metrics) == ("mse", 1, ("rmse_clipped",))
    assert torch.equal(task.target[:, 0], task_of(ratings, "users").target + 1.0)


def test_a_user_with_one_rating_is_refused():
    lines = b"".join(b"1\t%d\t%d\t0\n" % (m, m % 5 + 1) for m in range(1, 41))
    ratings = parse_ratings(lines + b"2\t1\t3\t0\n")
    with pytest.raises(ValueError, match="judged by, got user 2 with 1 and 0; one of"):
        task_of(ratings, "users", target=2)
    with pytest.raises(ValueError, match=r"`target` must be in 1\.\.2, got 3"):
        task_of(ratings, "users", target=3)


@pytest.mark.parametrize(
    ("name", "nodes", "train", "test"),
    [("movies-users", 943, 664, 73), ("movies-items", 1682, 525, 58)],
)
def test_the_papers_first_targets(real_data, name, nodes, train, test):
    source = datasets.TASKS[name]
    task = source.load(source.settings(), 0, real_data)
    assert task.x.shape == (train + test, nodes, 1)
    assert (len(task.train), len(task.test)) == (train, test)
    assert task.graph.num_nodes == nodes
    assert task.checksum == source.checksum(source.settings(), real_data)
