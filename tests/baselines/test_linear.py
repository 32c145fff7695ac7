"""Logistic regression and ridge against other solvers."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge
from torch.nn.functional import cross_entropy

from vicinal.baselines import logistic_regression, ridge


def draws(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def test_logistic_regression_is_at_its_optimum():
    x, new = draws(300, 4), draws(50, 4, seed=1)
    labels = (x @ draws(4, 3, seed=2) + draws(300, 3, seed=3)).argmax(1)
    logits = logistic_regression(x, labels, new, 3, strength=1.0)
    center, scale = x.mean(0), x.std(0, unbiased=False)
    weight = torch.zeros(4, 3, requires_grad=True)
    bias = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=500, tolerance_grad=1e-9)

    def objective():
        optimizer.zero_grad()
        fit = cross_entropy(
            (x - center) / scale @ weight + bias, labels, reduction="sum"
        )
        loss = weight.square().sum() / 2 + fit
        loss.backward()
        return loss

    optimizer.step(objective)
    expected = ((new - center) / scale @ weight + bias).detach().softmax(1)
    torch.testing.assert_close(logits.softmax(1), expected, atol=2e-3, rtol=0)


def test_two_classes_and_classes_never_seen():
    x, labels = torch.tensor([[-2.0], [-1.0], [1.0], [2.0]]), torch.tensor([0, 0, 2, 2])
    logits = logistic_regression(x, labels, x, num_classes=4)
    assert logits.argmax(1).equal(labels)
    assert logits[:, [1, 3]].isneginf().all()


@pytest.mark.parametrize("penalty", [1e-4, 0.1, 1.0])
def test_ridge_against_scikit_learn(penalty):
    x, target, new = draws(80, 5), draws(80, 2, seed=1), draws(20, 5, seed=2)
    centered = (x - x.mean(0)).double().numpy()
    alpha = penalty * np.square(centered).sum(0).mean()
    model = Ridge(alpha=alpha).fit(x.double().numpy(), target.double().numpy())
    expected = model.predict(new.double().numpy())
    np.testing.assert_allclose(ridge(x, target, new, penalty), expected, atol=1e-5)
