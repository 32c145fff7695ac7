"""Training on signals: schedules, early stopping, the best epoch, a plain loop."""

import copy
import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from vicinal.datasets.task import Task
from vicinal.graphs import erdos_renyi
from vicinal.metrics import accuracy
from vicinal.nn import GNN
from vicinal.training import History, Training, evaluate, fit

NODES, SIGNALS, EPOCHS = 6, 20, 3


@pytest.fixture
def task():
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(SIGNALS, NODES, 1, generator=generator)
    target = torch.randint(3, (SIGNALS,), generator=generator)
    parts = torch.randperm(SIGNALS, generator=generator).split([12, 4, 4])
    graph = erdos_renyi(NODES, 0.6, seed=0)
    return Task(graph, x, target, *parts, unit="signal", num_outputs=3)


def network(dropout=0.0):
    torch.manual_seed(5)
    sizes = {"readout": "signal", "num_nodes": NODES, "activation": "relu"}
    return GNN(1, [4], 3, taps=2, dropout=dropout, **sizes)


def test_the_history_is_that_of_a_plain_loop(task):
    model = network()
    twin = copy.deepcopy(model)
    training = Training(epochs=EPOCHS, batch=5, weight_decay=0.01)
    history = fit(model, task, task.x, training, seed=3)
    optimizer = torch.optim.Adam(twin.parameters(), lr=0.005, weight_decay=0.01)
    order = torch.Generator().manual_seed(3)
    for epoch in range(EPOCHS):
        shuffled = task.train[torch.randperm(12, generator=order)]
        total = 0.0
        for rows in shuffled.split(5):  # the last batch is smaller
            optimizer.zero_grad()
            loss = cross_entropy(twin(task.x[rows], task.graph), task.target[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            valid = twin(task.x[task.valid], task.graph)
            test = twin(task.x[task.test], task.graph)
        expected = cross_entropy(valid, task.target[task.valid]).item()
        assert history.train_loss[epoch] == pytest.approx(total / 12)
        assert history.valid_loss[epoch] == pytest.approx(expected)
        assert history.test["accuracy"][epoch] == accuracy(test, task.target[task.test])


def test_the_best_state_is_that_of_the_lowest_validation_loss(task):
    model, states = network(), []

    def look(epoch, history):
        states.append(copy.deepcopy(model.state_dict()))

    training = Training(epochs=8, learning_rate=0.1)
    history = fit(model, task, task.x, training, 0, look)
    lowest = min(range(8), key=history.valid_loss.__getitem__)
    assert history.best == lowest
    for name, value in history.best_state.items():
        assert value.equal(states[lowest][name])


def test_a_loss_that_is_no_number_is_never_the_best():
    assert History(valid_loss=[math.nan, 0.4, 0.3, math.nan]).best == 2
    assert History(valid_loss=[math.nan]).best is None


def test_training_stops_after_epochs_without_a_better_validation_loss(task):
    training = Training(epochs=500, learning_rate=0.1, patience=3)
    history = fit(network(), task, task.x, training, seed=0)
    assert len(history.valid_loss) < 500
    assert len(history.valid_loss) == history.best + 1 + 3


@pytest.mark.parametrize("schedule", ["constant", "cosine", "halving"])
def test_schedules(task, schedule, monkeypatch):
    seen = []
    step = torch.optim.Adam.step

    def spy(self, *args, **kwargs):
        seen.append(self.param_groups[0]["lr"])
        return step(self, *args, **kwargs)

    monkeypatch.setattr(torch.optim.Adam, "step", spy)
    training = Training(epochs=20, learning_rate=0.01, batch=None, schedule=schedule)
    fit(network(), task, task.x, training, seed=0)
    expected = {
        "constant": [0.01] * 20,
        "cosine": [0.005 * (1 + math.cos(math.pi * e / 20)) for e in range(20)],
        "halving": [0.01] * 10 + [0.005] * 10,
    }
    assert seen == pytest.approx(expected[schedule])


@pytest.mark.parametrize("training", [True, False])
def test_evaluation_is_without_dropout_and_leaves_the_mode(task, training):
    model = network(dropout=0.9).train(training)
    one, two = (evaluate(model, task, task.x, [task.test]) for _ in range(2))
    assert one == two
    assert model.training is training


def test_the_seed_decides_order_and_dropout(task):
    def losses(seed):
        training = Training(epochs=2, batch=5)
        return fit(network(dropout=0.5), task, task.x, training, seed).train_loss

    assert losses(1) == losses(1) != losses(2)


def test_the_callers_random_numbers_stay_as_they_were(task):
    model = network(dropout=0.5)
    before = torch.random.get_rng_state()
    fit(model, task, task.x, Training(epochs=1, batch=5), seed=3)
    assert torch.equal(torch.random.get_rng_state(), before)
