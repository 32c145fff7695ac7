"""Linear models of two classes: what they find, and how their penalty is chosen."""

import numpy as np
import torch
from sklearn.svm import LinearSVC

from vicinal.baselines import best_strength, linear_svm

GENERATOR = torch.Generator().manual_seed(0)
X = torch.randn(60, 3, generator=GENERATOR) * torch.tensor([1.0, 50.0, 0.1])
LABELS = (X[:, 0] + X[:, 1] / 50 > 0).long()


def test_the_svm_is_that_of_z_scores():
    z = (X.double() - X.double().mean(0)) / X.double().std(0, unbiased=False)
    model = LinearSVC(C=0.1, dual=False).fit(z.numpy(), LABELS.numpy())
    found = linear_svm(X, LABELS, X, strength=0.1)
    expected = model.decision_function(z.numpy())
    np.testing.assert_allclose(found[:, 1].double(), expected, rtol=1e-4, atol=1e-5)
    assert torch.equal(found[:, 0], -found[:, 1])


def test_the_strength_with_the_fewest_errors_is_chosen():
    asked = []

    def fit(x, labels, new, strength):
        asked.append((len(x), len(new), strength))
        right = LABELS[[int((row == X).all(1).nonzero()[0]) for row in new]]
        guess = right if strength == 0.01 else torch.zeros_like(right)
        return torch.nn.functional.one_hot(guess, 2).float()

    assert best_strength(fit, X, LABELS) == 0.01
    assert {(seen, new) for seen, new, _ in asked} == {(48, 12)}


def test_of_equally_good_ones_the_strongest_penalty():
    def fit(x, labels, new, strength):
        return torch.zeros(len(new), 2)

    assert best_strength(fit, X, LABELS) == 0.0001
