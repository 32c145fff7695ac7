"""Deltas by hand: z-scores, distances, and which author is the nearest."""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

from vicinal.baselines import burrows_delta, cosine_delta, nearest_author

X = torch.tensor([[0.0, 4.0, 1.0], [2.0, 0.0, 1.0], [7.0, 2.0, 1.0], [3.0, 6.0, 1.0]])
AUTHORS = torch.tensor([5, 5, 8, 8])
NEW = torch.tensor([[1.0, 1.0, 1.0], [6.0, 5.0, 1.0]])


def z_scores():
    x = X.double().numpy()[:, :2]  # the third word never varies
    center, spread = x.mean(0), x.std(0, ddof=1)
    profiles = np.stack([x[:2].mean(0), x[2:].mean(0)])
    return (profiles - center) / spread, (NEW.numpy()[:, :2] - center) / spread


def test_burrows_delta_is_a_mean_of_absolute_differences():
    profiles, texts = z_scores()
    distance, known = burrows_delta(X, AUTHORS, NEW)
    assert known.tolist() == [5, 8]
    np.testing.assert_allclose(distance, cdist(texts, profiles, "cityblock") / 3)


def test_cosine_delta_is_the_cosine_distance():
    profiles, texts = z_scores()
    distance, _ = cosine_delta(X, AUTHORS, NEW)
    np.testing.assert_allclose(distance, cdist(texts, profiles, "cosine"))


@pytest.mark.parametrize("delta", [burrows_delta, cosine_delta])
def test_a_text_like_its_authors_is_nearest_to_them(delta):
    distance, known = delta(X, AUTHORS, NEW)
    assert known[distance.argmin(1)].tolist() == [5, 8]


@pytest.mark.parametrize("delta", [burrows_delta, cosine_delta])
def test_scale_of_a_word_does_not_matter(delta):
    scale = torch.tensor([10.0, 0.1, 3.0])
    torch.testing.assert_close(
        delta(X * scale, AUTHORS, NEW * scale)[0], delta(X, AUTHORS, NEW)[0],
        atol=1e-6, rtol=1e-6,
    )  # fmt: skip


@pytest.mark.parametrize(("author", "chosen"), [(4, 0), (6, 1), (8, 0)])
def test_the_nearest_of_all_decides(author, chosen):
    distance, known = torch.tensor([[0.5, 0.3, 0.4]]), torch.tensor([4, 6, 8])
    assert nearest_author(distance, known, author).argmax(1).tolist() == [chosen]
