"""The Bayes rule: its formulas, and that nothing beats it."""

import numpy as np
import pytest
import torch
from scipy.stats import norm

from vicinal.baselines import bayes, logistic_regression, nearest_neighbor
from vicinal.datasets.source_localization import Settings, draw, observed


def toy(**noise):
    settings = Settings(
        graph="geometric", num_nodes=30, density=0.35, samples=(600, 0, 400), **noise
    )
    drawn = draw(settings, 0)
    train, _, test = drawn.parts
    x = observed(drawn, settings, 0)
    library = drawn.impulses[1:]  # times 1, ..., 10
    return x[train], drawn.labels[train], x[test], drawn.labels[test], library


def share_right(logits, labels):
    return float((logits.argmax(1) == labels).double().mean())


def test_white_noise_against_densities_multiplied_by_hand():
    draws = torch.Generator().manual_seed(0)
    library = torch.randn(3, 4, 5, generator=draws, dtype=torch.float64)
    x = torch.randn(6, 5, generator=draws, dtype=torch.float64)
    found = bayes(x, library, "white", sigma=0.7).softmax(1)
    density = np.zeros((6, 4))
    for t in range(3):
        for c in range(4):
            density[:, c] += norm.pdf(x.numpy(), library[t, c].numpy(), 0.7).prod(1)
    expected = density / density.sum(1, keepdims=True)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-10)


def test_impulses_of_two_signals_that_share_nodes():
    library = torch.tensor([[[1.0, 2.0, 0.0], [1.0, 3.0, 0.0]]])
    x = torch.tensor([[1.0, 9.0, 0.0], [8.0, 3.0, 8.0], [1.0, 2.0, 5.0]])
    posterior = bayes(x, library, "impulsive").softmax(1)
    assert posterior.tolist() == [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]]


def test_several_times_that_agree_count_together():
    library = torch.tensor([[[1.0, 2.0], [1.0, 4.0]], [[1.0, 3.0], [5.0, 6.0]]])
    posterior = bayes(torch.tensor([[1.0, 9.0]]), library, "impulsive").softmax(1)
    assert posterior[0].tolist() == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize(
    "noise",
    [
        {"noise": "none"},
        {"noise": "white", "snr": 0.0},
        {"noise": "impulsive", "share": 0.3},
    ],
)
def test_no_baseline_is_right_more_often(noise):
    x, labels, new, truth, library = toy(**noise)
    plain = toy()[0]
    level = float(plain.square().mean().sqrt()) * 10 ** (-noise.get("snr", 0) / 20)
    best = share_right(bayes(new, library, noise["noise"], level), truth)
    for rival in (logistic_regression, nearest_neighbor):
        assert best >= share_right(rival(x, labels, new, 10), truth)
    if noise["noise"] != "white":
        assert best == 1.0


def test_bad_arguments_get_a_sentence():
    x, library = torch.zeros(1, 2), torch.zeros(1, 2, 2)
    with pytest.raises(ValueError, match=r"`noise` must be .* got 'pink'"):
        bayes(x, library, "pink")
    with pytest.raises(ValueError, match="`sigma` must be positive"):
        bayes(x, library, "white")
