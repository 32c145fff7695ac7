"""Proposition 4 of the paper: closed-form gradients, against autograd and differences.

One layer: u^f = sum_gk h_k^{fg} S^k x^g, y^f = sum_k w_k^f P_k u^f, where every row of
P_k holds a single one. J is any function of y; its gradient there is called dy.
"""

import itertools

import brute
import pytest
import torch

import vicinal as vc
from vicinal.functional import local_select
from vicinal.kernels import rank
from vicinal.nn import GraphFilter, MaxActivation, MedianActivation

NODES, INPUTS, OUTPUTS, TAPS, HOPS, SAMPLES = 8, 2, 3, 4, 2, 5
RULES = {
    "median": (MedianActivation, rank.UPPER_MEDIAN),
    "max": (MaxActivation, rank.MAX),
}


@pytest.fixture
def graph():
    generator = torch.Generator().manual_seed(5)
    edges = torch.rand(NODES, NODES, generator=generator) < 0.35
    weight = torch.randn(NODES, NODES, generator=generator, dtype=torch.float64)
    return vc.Graph.from_dense((edges * weight).fill_diagonal_(0))


@pytest.fixture
def x():
    return torch.randn(SAMPLES, NODES, INPUTS, dtype=torch.float64)


def layer(name, features):
    bank = GraphFilter(INPUTS, OUTPUTS, TAPS, bias=False, scaled=False).double()
    act = RULES[name][0](HOPS, features, initial="uniform").double()
    return bank, act


def loss(y):
    return y.sin().sum()  # any smooth function of the output


def selections(name, u, graph):
    """P_0, ..., P_K of every sample and feature, ``(K + 1, M, F, N, N)``."""
    picked = local_select(u, graph, RULES[name][1], HOPS).nodes  # (M, K, N, F)
    found = torch.zeros(HOPS + 1, SAMPLES, OUTPUTS, NODES, NODES, dtype=u.dtype)
    found[0] = torch.eye(NODES)
    places = itertools.product(*map(range, (SAMPLES, HOPS, NODES, OUTPUTS)))
    for m, k, i, f in places:
        found[k + 1, m, f, i, picked[m, k, i, f]] = 1
    return found


@pytest.mark.parametrize("name", RULES)
def test_every_row_of_p_has_one_one_inside_the_ball(name, graph, x):
    bank, _ = layer(name, OUTPUTS)
    found = selections(name, bank(x, graph).detach(), graph)
    edges = graph.to_edges()[0].T.tolist()
    stacked = [[{i} for i in range(NODES)], *brute.balls(edges, NODES, HOPS)]
    assert (found.sum(-1) == 1).all()
    for k, balls in enumerate(stacked):
        for i, ball in enumerate(balls):
            outside = sorted(set(range(NODES)) - ball)
            assert found[k, :, :, i, outside].sum() == 0


def closed_forms(name, bank, act, x, graph):
    """Gradients of the loss as Proposition 4 writes them."""
    u = bank(x, graph).detach()
    p = selections(name, u, graph)
    w = act.weight.detach()
    w = w if w.dim() == 2 else w[:, None].expand(-1, OUTPUTS)
    terms = torch.einsum("kmfij,mjf->kmif", p, u)  # sigma(S^k, u)
    y = torch.einsum("kf,kmif->mif", w, terms)
    dy = y.cos()
    by_weight = torch.einsum("mif,kmif->kf", dy, terms)
    s = graph.to_dense()
    shifted = torch.stack([torch.linalg.matrix_power(s, k) @ x for k in range(TAPS)])
    by_tap = torch.einsum("mif,lf,lmfij,kmjg->kgf", dy, w, p, shifted)
    return by_tap, by_weight


@pytest.mark.parametrize("features", [None, OUTPUTS])
@pytest.mark.parametrize("name", RULES)
def test_closed_forms_equal_autograd(name, features, graph, x):
    bank, act = layer(name, features)
    loss(act(bank(x, graph), graph)).backward()
    by_tap, by_weight = closed_forms(name, bank, act, x, graph)
    if features is None:
        by_weight = by_weight.sum(1)
    torch.testing.assert_close(bank.weight.grad, by_tap, rtol=0, atol=1e-10)
    torch.testing.assert_close(act.weight.grad, by_weight, rtol=0, atol=1e-10)


def moved(parameter, at, step, value):
    """The value with one coefficient moved."""
    flat = parameter.view(-1)
    flat[at] += step
    result = value()
    flat[at] -= step
    return result


@pytest.mark.parametrize("name", RULES)
@torch.no_grad()
def test_closed_forms_equal_central_differences(name, graph, x):
    bank, act = layer(name, OUTPUTS)
    expected = closed_forms(name, bank, act, x, graph)

    def value():
        return loss(act(bank(x, graph), graph))

    for parameter, gradient in zip((bank.weight, act.weight), expected, strict=True):
        for at, right in enumerate(gradient.flatten().tolist()):
            above = moved(parameter, at, 1e-6, value)
            below = moved(parameter, at, -1e-6, value)
            assert ((above - below) / 2e-6).item() == pytest.approx(right, abs=1e-6)


def test_without_hops_the_gradient_passes_where_the_filter_is_positive(graph, x):
    bank, _ = layer("median", OUTPUTS)
    act = MedianActivation(hops=0)
    loss(act(bank(x, graph), graph)).backward()
    u = bank(x, graph).detach()
    q = (u > 0).double()
    s = graph.to_dense()
    shifted = torch.stack([torch.linalg.matrix_power(s, k) @ x for k in range(TAPS)])
    expected = torch.einsum("mif,mif,kmig->kgf", u.relu().cos(), q, shifted)
    torch.testing.assert_close(bank.weight.grad, expected, rtol=0, atol=1e-10)
