"""Corruption: how much, how large, and paired."""

import numpy as np
import pytest
import scipy.stats
import torch
from pydantic import ValidationError

from vicinal.datasets.corruption import CorruptionSettings, corrupt, rms

CLEAN = torch.full((400, 50), 3.0, dtype=torch.float64)


def corrupted(scale=2.0, seed=0, **settings):
    return corrupt(CLEAN, CorruptionSettings(**settings), scale, seed)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3])
def test_the_share_of_faulty_nodes(share):
    faulty = corrupted(noise="impulsive", share=share) != CLEAN
    spread = np.sqrt(share * (1 - share) / CLEAN.numel())
    assert float(faulty.double().mean()) == pytest.approx(share, abs=4 * spread)


def test_outliers_are_normal_of_the_size_asked_for():
    y = corrupted(noise="impulsive", share=0.5, outlier_size=7)
    values = y[y != CLEAN].numpy()
    assert scipy.stats.kstest(values / (2.0 * 7), "norm").pvalue > 1e-3


def test_faulty_nodes_of_a_smaller_share_are_among_those_of_a_larger():
    few = corrupted(noise="impulsive", share=0.1) != CLEAN
    many = corrupted(noise="impulsive", share=0.2) != CLEAN
    assert (few <= many).all()
    assert few.sum() < many.sum()


def test_outliers_of_another_size_are_the_same_but_larger():
    small = corrupted(noise="impulsive", outlier_size=5)
    large = corrupted(noise="impulsive", outlier_size=10)
    faulty = small != CLEAN
    assert torch.allclose(2 * small[faulty], large[faulty])


@pytest.mark.parametrize("snr", [0, 10, 20])
def test_white_noise_has_the_ratio_asked_for(snr):
    noise = corrupted(noise="white", snr=snr) - CLEAN
    assert 20 * np.log10(2.0 / rms(noise)) == pytest.approx(snr, abs=0.2)


def test_heavy_tails_are_those_of_students_t():
    noise = (corrupted(noise="heavy-tailed", snr=0, tail=3) - CLEAN) / 2.0
    assert scipy.stats.kstest(noise.flatten().numpy(), "t", args=(3,)).pvalue > 1e-3


def test_none_changes_nothing_and_seeds_differ():
    assert corrupted(noise="none").equal(CLEAN)
    assert not corrupted(noise="white").equal(corrupted(noise="white", seed=1))
    assert corrupted(noise="white").equal(corrupted(noise="white"))


@pytest.mark.parametrize(
    "settings",
    [{"share": 1.0}, {"share": -0.1}, {"outlier_size": 0}, {"tail": 0}, {"noise": "?"}],
)
def test_impossible_corruption_is_refused_by_name(settings):
    (name,) = settings
    with pytest.raises(ValidationError, match=name):
        CorruptionSettings(**settings)
