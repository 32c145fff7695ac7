"""Denoising: smooth targets, corrupted inputs, paired draws."""

import pytest
from pydantic import ValidationError

from vicinal.datasets.denoising import Settings, load
from vicinal.metrics import mse

SMALL = (60, 20, 20)


def task(seed=0, **given):
    return load(Settings(**({"samples": SMALL, "graph": "geometric"} | given)), seed)


def test_the_target_is_the_clean_signal_whatever_the_corruption():
    clean = task()
    assert clean.x.equal(clean.target)
    noisy = task(noise="impulsive", share=0.3)
    assert noisy.target.equal(clean.target)
    assert noisy.graph == clean.graph
    changed = (noisy.x != clean.x).double().mean()
    assert 0.25 < float(changed) < 0.35


def test_training_targets_have_unit_power():
    assert float(task().target[:60].square().mean()) == pytest.approx(1.0)


def test_outliers_of_the_test_part_alone():
    noisy = task(noise="impulsive", share=0.3, corrupted="test")
    assert noisy.x[:80].equal(noisy.target[:80])
    assert mse(noisy.x[80:], noisy.target[80:]) > 1


def test_a_grid_of_thirty_by_thirty():
    grid = task(graph="grid", num_nodes=900, samples=(4, 2, 2))
    assert grid.x.shape == (8, 900, 1)
    assert (grid.loss, grid.metrics, grid.readout) == ("mse", ("mse",), "node")


def test_seeds_decide():
    assert task(1).x.equal(task(1).x)
    assert not task(1).x.equal(task(2).x)


@pytest.mark.parametrize("given", [{"smoothing": -1}, {"samples": (0, 1, 1)}])
def test_bad_settings_are_refused_by_name(given):
    with pytest.raises(ValidationError, match=next(iter(given))):
        Settings(**given)
