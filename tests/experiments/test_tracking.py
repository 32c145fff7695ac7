"""TensorBoard logs: what the trainer saw, and no thread left behind."""

import threading

import pytest

from vicinal.experiments.cell import make_cell
from vicinal.experiments.tracking import logger
from vicinal.training import History


@pytest.fixture
def cell():
    return make_cell({"task": "source-localization"}, 0, "here")


def test_losses_and_scores_are_logged(tmp_path, cell):
    events = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator"
    )
    seen = History([0.9], [0.8], {"accuracy": [0.5]})
    with logger(tmp_path, cell) as log:
        log(0, seen)
        seen.train_loss.append(0.7)
        log(1, seen)
    (folder,) = tmp_path.iterdir()
    read = events.EventAccumulator(str(folder)).Reload()
    losses = [(e.step, e.value) for e in read.Scalars("loss/train")]
    assert losses == [(0, pytest.approx(0.9)), (1, pytest.approx(0.7))]
    assert read.Scalars("test/accuracy")[0].value == 0.5


def test_a_log_that_is_done_leaves_no_thread(tmp_path, cell):
    pytest.importorskip("tensorboard")
    before = threading.active_count()
    for _ in range(3):
        with logger(tmp_path, cell) as log:
            log(0, History([0.9]))
    assert threading.active_count() == before


def test_without_a_folder_nothing_is_written(tmp_path, cell, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with logger(None, cell) as log:
        log(0, History([0.9]))
    assert not list(tmp_path.iterdir())
