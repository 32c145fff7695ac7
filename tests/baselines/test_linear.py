"""Logistic regression, SVM and ridge against other solvers; how a penalty is chosen."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from vicinal.baselines import best_strength, linear_svm, logistic_regression, ridge


def draws(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


X = draws(60, 3) * torch.tensor([1.0, 50.0, 0.1])
LABELS = (X[:, 0] + X[:, 1] / 50 > 0).long()


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


def test_of_two_classes_one_vector_is_fitted():
    x, new = draws(200, 4), draws(50, 4, seed=1)
    labels = (x[:, 0] + draws(200, seed=3) > 0).long()
    logits = logistic_regression(x, labels, new, 2, strength=0.01)
    center, scale = x.mean(0), x.std(0, unbiased=False)
    weight = torch.zeros(5, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight], max_iter=500, tolerance_grad=1e-9)

    def objective():
        optimizer.zero_grad()
        score = (x - center) / scale @ weight[:4] + weight[4]
        fit = binary_cross_entropy_with_logits(score, labels.float(), reduction="sum")
        loss = weight[:4].square().sum() / 2 + 0.01 * fit
        loss.backward()
        return loss

    optimizer.step(objective)
    expected = ((new - center) / scale @ weight[:4] + weight[4]).detach()
    assert not logits[:, 0].any()
    torch.testing.assert_close(logits[:, 1], expected, atol=2e-3, rtol=0)


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
