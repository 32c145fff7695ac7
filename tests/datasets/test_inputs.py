"""Clipping and scaling look at the training part only."""

import numpy as np
import pytest
import torch

from vicinal.datasets.inputs import InputSettings, condition

X = torch.randn(60, 20, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
TRAIN = torch.arange(40)


def test_clipping_is_to_the_quantile_of_training_values():
    bound = np.percentile(X[:40].numpy(), 95)
    clipped = condition(X, TRAIN, InputSettings(clip=True), low=0.0)
    np.testing.assert_allclose(clipped.numpy(), np.clip(X.numpy(), 0, bound))


def test_without_a_known_lower_bound_both_tails_go():
    low, high = np.percentile(X[:40].numpy(), [5, 95])
    clipped = condition(X, TRAIN, InputSettings(clip=True))
    np.testing.assert_allclose(clipped.numpy(), np.clip(X.numpy(), low, high))


def test_the_scale_is_one_number_of_the_training_part():
    scaled = condition(X, TRAIN, InputSettings(input_scale="rms"))
    assert float(scaled[:40].square().mean()) == pytest.approx(1.0)
    ratio = X / scaled
    assert torch.allclose(ratio, ratio[0, 0])


def test_test_signals_do_not_move_the_bounds():
    other = X.clone()
    other[40:] *= 100
    settings = InputSettings(clip=True, input_scale="rms")
    one, two = (condition(x, TRAIN, settings) for x in (X, other))
    assert one[:40].equal(two[:40])


def test_as_is_by_default():
    assert condition(X, TRAIN, InputSettings()) is X
