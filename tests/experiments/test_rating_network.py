"""One network for all ratings: what it is shown, what it is asked, what it may know."""

import pytest
import torch
from datasets.made_up_ratings import made_up_ratings
from torch.nn import Linear, Module

from vicinal import nn
from vicinal.baselines.ratings import biases
from vicinal.datasets import movie_matrix
from vicinal.experiments import estimators
from vicinal.experiments.cell import make_cell
from vicinal.experiments.rating_network import columns, complete
from vicinal.experiments.settings import TrainingSettings

GIVEN = TrainingSettings(epochs=5, batch=20)
FLAT = {"task": "movie-ratings", "model": "rating-gnn", "hidden": 3, "batch": 20}


class Recorder(Module):
    """Answers with a linear map of its input, and keeps what it was called with."""

    def __init__(self):
        super().__init__()
        self.linear, self.asked = Linear(2, 1), []

    def forward(self, x, graph):
        if self.training:
            self.asked.append((x.detach(), graph))
        return self.linear(x)


def parts(ratings=None):
    """Training matrix, and places and stars of the validation part."""
    settings = movie_matrix.Settings(validated=True)
    task = movie_matrix.make_task(ratings or made_up_ratings(), settings, 0)
    known = torch.zeros(60, 50)
    known[tuple(task.x[task.train].T)] = task.target[task.train, 0]
    return task, known, task.x[task.valid], task.target[task.valid, 0]


def with_other_stars(rows):
    ratings = made_up_ratings()
    stars = ratings.stars.copy()
    stars[rows] = 6 - stars[rows]
    return type(ratings)(ratings.users, ratings.movies, stars, 60, 50)


def network(activation="median"):
    torch.manual_seed(0)
    return nn.GNN(2, [3], 1, taps=2, activation=activation, hops=1)


def test_signals_are_what_ratings_say_beyond_biases():
    shown = torch.tensor([[5.0, 0.0, 1.0], [4.0, 2.0, 0.0]])
    seen = columns(shown)
    base = biases(shown)
    assert seen.x.shape == (3, 2, 2)
    assert seen.x[:, :, 1].tolist() == [[1, 1], [0, 1], [1, 0]]
    beyond = [5 - base[0, 0], 4 - base[1, 0], 0, 2 - base[1, 1], 1 - base[0, 2], 0]
    torch.testing.assert_close(seen.x[:, :, 0].flatten(), torch.tensor(beyond))
    assert torch.equal(seen.base, base.T)


def test_an_untrained_network_that_says_nothing_leaves_the_biases():
    _, known, pairs, stars = parts()
    model = Recorder()
    torch.nn.init.zeros_(model.linear.weight)
    torch.nn.init.zeros_(model.linear.bias)
    given = TrainingSettings(epochs=1, learning_rate=1e-12)
    said, _ = complete(model, known, pairs, stars, given, 0)
    torch.testing.assert_close(said, biases(known).clamp(1, 5))


def test_each_epoch_hides_another_part_and_five_hide_all():
    known = torch.randint(1, 6, (60, 50)).float()
    model, nothing = Recorder(), torch.zeros(1, dtype=torch.int64)
    given = TrainingSettings(epochs=5, batch=0)
    complete(model, known, nothing.expand(1, 2), nothing, given, 0)
    hidden = torch.stack([1 - x[..., 1] for x, _ in model.asked])  # (5, M, U)
    assert hidden.sum((1, 2)).tolist() == [600] * 5
    assert hidden.sum((0, 1)).tolist() == [50] * 60


def test_a_hidden_rating_has_no_say_in_what_is_shown():
    _, known, pairs, stars = parts()
    first = Recorder()
    complete(first, known, pairs, stars, TrainingSettings(epochs=1, batch=0), 0)
    torch.manual_seed(0)
    rated = known.nonzero(as_tuple=True)
    hidden = torch.randperm(len(rated[0])) % 5 == 0
    other = known.clone()
    users, movies = (each[hidden] for each in rated)
    other[users, movies] = 6 - other[users, movies]
    second = Recorder()
    complete(second, other, pairs, stars, TrainingSettings(epochs=1, batch=0), 0)
    (x, graph), (other_x, other_graph) = first.asked[0], second.asked[0]
    assert torch.equal(x, other_x)
    assert torch.equal(graph.to_dense(), other_graph.to_dense())
    assert not torch.equal(first.linear.weight, second.linear.weight)


@pytest.mark.parametrize("part", ["test", "valid"])
def test_graph_and_inputs_do_not_depend_on_held_out_ratings(part):
    task, known, _, _ = parts()
    rows = getattr(task, part).numpy()
    _, other, _, _ = parts(with_other_stars(rows))
    one, two = columns(known), columns(other)
    assert torch.equal(one.graph.to_dense(), two.graph.to_dense())
    assert one.graph.num_edges
    assert torch.equal(one.x, two.x)
    assert torch.equal(one.base, two.base)


def test_fitted_weights_do_not_depend_on_test_ratings():
    task, known, pairs, stars = parts()
    other = parts(with_other_stars(task.test.numpy()))[1:]
    states = []
    for given in ((known, pairs, stars), other):
        model = network()
        complete(model, *given, GIVEN, 0)
        states.append(model.state_dict())
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_validation_ratings_choose_the_epoch_and_nothing_else():
    _, known, pairs, stars = parts()
    model = network()
    said, history = complete(model, known, pairs, stars, GIVEN, 0)
    best = (said[pairs[:, 0], pairs[:, 1]] - stars).square().mean()
    assert float(best) == pytest.approx(min(history.valid_loss), rel=1e-6)
    _, other = complete(network(), known, pairs, 6 - stars, GIVEN, 0)
    assert other.train_loss == history.train_loss
    assert other.valid_loss != history.valid_loss


def test_the_same_seed_gives_the_same_answers():
    given = (*parts()[1:], GIVEN)
    said = [complete(network(), *given, seed)[0] for seed in (1, 1, 2)]
    assert torch.equal(said[0], said[1])
    assert not torch.equal(said[0], said[2])


@pytest.mark.parametrize("activation", ["relu", "identity", "mean", "max", "median"])
def test_it_learns_more_than_means(activation):
    hops = int(activation in ("mean", "max", "median"))
    local = {"activation": activation, "hops": hops, "validated": True, "epochs": 20}
    task, *_ = parts()
    found = estimators.estimate(make_cell(FLAT | local, 0, "here"), task)
    plain = make_cell({"task": "movie-ratings", "model": "user-mean"}, 0, "here")
    means = estimators.estimate(plain, task)["scores"]["rmse_clipped"]["best"]
    assert found["scores"]["rmse_clipped"]["best"] < means
    assert [len(curve) for curve in found["curves"].values()] == [20, 20]
    assert found["parameters"]["readout"] == 3 + 1
    assert [len(weights) for weights in found["hop_weights"]] == [2] * hops


def test_it_needs_validation_ratings():
    task = movie_matrix.make_task(made_up_ratings(), movie_matrix.Settings(), 0)
    with pytest.raises(ValueError, match="`validated` must be true for 'rating-gnn'"):
        estimators.estimate(make_cell(FLAT, 0, "here"), task)
