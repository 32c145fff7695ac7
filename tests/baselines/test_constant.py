"""The same answer for all, against scikit-learn."""

import numpy as np
import torch
from sklearn.dummy import DummyClassifier, DummyRegressor

from vicinal.baselines import majority, mean_target


def test_majority_against_scikit_learn():
    labels = torch.tensor([2, 1, 2, 0, 2, 1])
    model = DummyClassifier(strategy="prior").fit(np.zeros((6, 1)), labels.numpy())
    expected = model.predict_proba(np.zeros((4, 1)))
    np.testing.assert_allclose(majority(labels, 4, 3), expected, atol=1e-6)


def test_the_mean_against_scikit_learn():
    target = torch.randn(6, 3, generator=torch.Generator().manual_seed(0))
    model = DummyRegressor().fit(np.zeros((6, 1)), target.numpy())
    expected = model.predict(np.zeros((2, 1)))
    np.testing.assert_allclose(mean_target(target, 2), expected, atol=1e-6)
