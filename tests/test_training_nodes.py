"""Training on nodes of one signal: one pass answers every part."""

import copy

import pytest
import torch

from vicinal.datasets.task import Task
from vicinal.graphs import erdos_renyi
from vicinal.metrics import accuracy
from vicinal.rivals import GCN
from vicinal.training import Training, fit

NODES, EPOCHS = 12, 5


@pytest.fixture
def task():
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(NODES, 4, generator=generator)
    target = torch.randint(3, (NODES,), generator=generator)
    parts = torch.randperm(NODES, generator=generator).split([6, 3, 3])
    graph = erdos_renyi(NODES, 0.4, seed=0)
    return Task(graph, x, target, *parts, unit="node", num_outputs=3)


def test_an_epoch_is_one_step_and_one_look(task):
    model, calls = GCN(4, 8, 3), []
    model.register_forward_hook(lambda model, x, y: calls.append(model.training))
    fit(model, task, task.x, Training(epochs=EPOCHS), seed=0)
    assert calls == [True, False] * EPOCHS


def test_the_history_is_that_of_a_plain_loop(task):
    model = GCN(4, 8, 3, dropout=0.0)
    twin = copy.deepcopy(model)
    history = fit(model, task, task.x, Training(epochs=EPOCHS), seed=0)
    optimizer = torch.optim.Adam(twin.parameters(), lr=0.005)
    for epoch in range(EPOCHS):
        optimizer.zero_grad()
        output = twin(task.x, task.graph)[task.train]
        loss = torch.nn.functional.cross_entropy(output, task.target[task.train])
        loss.backward()
        optimizer.step()
        assert history.train_loss[epoch] == pytest.approx(loss.item())
        with torch.no_grad():
            valid = twin(task.x, task.graph)[task.valid]
            test = twin(task.x, task.graph)[task.test]
        valid_loss = torch.nn.functional.cross_entropy(valid, task.target[task.valid])
        assert history.valid_loss[epoch] == pytest.approx(valid_loss.item())
        assert history.test["accuracy"][epoch] == accuracy(test, task.target[task.test])


def test_without_a_validation_part_there_is_no_best_epoch(task):
    nobody = torch.tensor([], dtype=torch.int64)
    alone = Task(
        task.graph, task.x, task.target, task.train, nobody, task.test,
        unit="node", num_outputs=3,
    )  # fmt: skip
    history = fit(GCN(4, 8, 3), alone, task.x, Training(epochs=2), seed=0)
    assert history.valid_loss == []
    assert history.best is None
    assert history.best_state is None
    assert len(history.test["accuracy"]) == 2
