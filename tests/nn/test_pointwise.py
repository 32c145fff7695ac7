"""Pointwise rivals: Maxout, and modules that ignore the graph."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

import vicinal as vc
from vicinal.nn import GNN, Maxout, Pointwise


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_maxout_is_the_largest_of_linear_maps(pieces):
    act = Maxout(3, pieces).double()
    x = torch.randn(2, 7, 3, dtype=torch.float64)
    weight, bias = (p.detach().numpy() for p in act.linear.parameters())
    maps = [slice(3 * p, 3 * p + 3) for p in range(pieces)]
    each = [x.numpy() @ weight[rows].T + bias[rows] for rows in maps]
    expected = torch.from_numpy(np.max(each, axis=0))
    torch.testing.assert_close(act(x), expected)


def test_maxout_has_the_parameters_of_its_maps():
    assert sum(p.numel() for p in Maxout(32).parameters()) == 2 * (32 * 32 + 32)
    model = GNN(1, [32, 16], 1, activation="maxout")
    counts = [sum(p.numel() for p in a.parameters()) for a in model.activations]
    assert counts == [2 * (32 * 32 + 32), 2 * (16 * 16 + 16)]


def test_maxout_looks_at_one_node_at_a_time(digraph):
    act = Pointwise(Maxout(2))
    x = torch.randn(12, 2)
    changed = x.clone()
    changed[3] += 1
    differs = (act(x, digraph) != act(changed, digraph)).any(-1)
    assert differs.nonzero().flatten().tolist() == [3]
    vc.testing.assert_permutation_equivariant(act, digraph, features=2)


def test_gradients_of_maxout_are_those_of_finite_differences():
    act = Maxout(2, 3).double()
    x = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(act, (x,))


def test_reset_draws_anew_and_copies_stand_apart():
    act = Maxout(4)
    before, twin = act.linear.weight.clone(), copy.deepcopy(act)
    act.reset_parameters()
    assert not act.linear.weight.equal(before)
    assert twin.linear.weight.equal(before)
    assert repr(act).startswith("Maxout(\n  features=4, pieces=2")


@pytest.mark.parametrize("name", ["features", "pieces"])
@pytest.mark.parametrize("value", [0, -1, "2", 1.5])
def test_counts_of_maxout_are_checked(name, value):
    with pytest.raises((TypeError, ValueError), match=f"`{name}` must be .*got"):
        Maxout(**{"features": 2, name: value})


def test_other_features_than_announced_are_refused():
    with pytest.raises(ValueError, match="`x` must have 3 features, got 2"):
        Maxout(3)(torch.randn(5, 2))


def test_a_pointwise_module_needs_nothing_of_a_graph(chain):
    act = Pointwise(nn.ReLU())
    assert act.prepare(chain) is chain
    assert act(torch.tensor([[-1.0], [0.0], [2.0]]), chain).tolist() == [[0], [0], [2]]
