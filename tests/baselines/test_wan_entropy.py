"""Relative entropy between chains, by hand and against SciPy."""

import math

import numpy as np
import pytest
import torch
from scipy.linalg import eig

from vicinal.baselines.wan_entropy import relative_entropy, stationary


def test_the_stationary_distribution_is_the_left_eigenvector():
    rng = np.random.default_rng(0)
    chain = rng.random((6, 6))
    chain /= chain.sum(1, keepdims=True)
    values, vectors = eig(chain.T)
    vector = np.real(vectors[:, np.argmax(np.real(values))])
    found = stationary(torch.from_numpy(chain))
    np.testing.assert_allclose(found, vector / vector.sum(), atol=1e-9)


def test_a_chain_that_turns_round_settles():
    swap = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    torch.testing.assert_close(stationary(swap), torch.tensor([0.5, 0.5]).double())


def test_a_word_without_successors_is_followed_by_any():
    found = stationary(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    torch.testing.assert_close(found, torch.tensor([1 / 3, 2 / 3]).double())


def test_by_hand():
    text = torch.tensor([[0.25, 0.75], [1.0, 0.0]])
    other = torch.tensor([[0.5, 0.5], [0.8, 0.2]])
    share = (4 / 7, 3 / 7)  # 0.75 p = q
    expected = share[0] * (0.25 * math.log(0.5) + 0.75 * math.log(1.5))
    expected += share[1] * math.log(1 / 0.8)
    found = relative_entropy(text, other[None])
    assert found.tolist() == pytest.approx([expected], abs=1e-7)


def test_a_chain_is_nearest_to_itself():
    chains = torch.rand(4, 5, 5, generator=torch.Generator().manual_seed(0))
    chains /= chains.sum(-1, keepdim=True)
    for place, chain in enumerate(chains):
        assert relative_entropy(chain, chains).argmin() == place


def test_pairs_that_one_author_does_not_have_count_for_none():
    text = torch.tensor([[0.5, 0.5], [0.5, 0.5]])
    sparse = torch.tensor([[0.5, 0.5], [1.0, 0.0]])
    near = torch.tensor([[0.5, 0.5], [0.4, 0.6]])
    found = relative_entropy(text, torch.stack([sparse, near]))
    expected = [0.25 * math.log(0.5), 0.25 * math.log(0.5 / 0.4)]
    assert found.tolist() == pytest.approx(expected)
