"""Dropout of single values and of whole nodes."""

import pytest
import torch

from vicinal.nn import GNN, Dropout


@pytest.mark.parametrize("shape", [(1000, 4), (10, 100, 4), (2, 5, 100, 4)])
def test_whole_nodes_are_silenced_and_the_others_scaled(shape):
    z = Dropout(0.25, form="nodes")(torch.ones(shape))
    assert z.eq(z[..., :1]).all()
    assert z.unique().tolist() == [0.0, pytest.approx(4 / 3)]
    assert z.eq(0).float().mean().item() == pytest.approx(0.25, abs=0.05)


def test_signals_of_a_batch_lose_different_nodes():
    z = Dropout(0.5, form="nodes")(torch.ones(2, 50, 1))
    assert not z[0].equal(z[1])


def test_nothing_happens_outside_training():
    x = torch.randn(5, 2)
    assert Dropout(0.5, form="nodes").eval()(x) is x
    assert Dropout(0.0, form="nodes")(x) is x


def test_values_are_dropped_one_by_one_by_default():
    z = Dropout(0.25)(torch.ones(1000, 4))
    assert not z.eq(z[:, :1]).all()
    assert z.unique().tolist() == [0.0, pytest.approx(4 / 3)]
    assert z.eq(0).float().mean().item() == pytest.approx(0.25, abs=0.05)


def test_values_drawn_together_do_not_know_each_other():
    silent = Dropout(0.5)(torch.ones(100_000)[:, None]).eq(0).double().flatten() - 0.5
    for lag in (1, 2, 3):  # four values come from one random word
        assert abs((silent[:-lag] * silent[lag:]).mean().item()) < 0.005


def test_all_nodes_may_be_silenced():
    assert Dropout(1.0, form="nodes")(torch.ones(5, 2)).eq(0).all()


def test_the_seed_decides():
    torch.manual_seed(1)
    first = Dropout(form="nodes")(torch.ones(50, 1))
    torch.manual_seed(1)
    assert Dropout(form="nodes")(torch.ones(50, 1)).equal(first)


def test_gradients_reach_only_the_nodes_that_were_heard():
    x = torch.randn(50, 3, requires_grad=True)
    z = Dropout(0.5, form="nodes")(x)
    z.sum().backward()
    assert x.grad.eq(2).all(-1).equal(z.detach().ne(0).any(-1))
    assert x.grad.eq(0).all(-1).equal(z.detach().eq(0).all(-1))


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan"), "0.5", None])
def test_a_probability_is_checked(p):
    with pytest.raises((TypeError, ValueError), match=r"`p` must be .*got"):
        Dropout(p, form="nodes")


def test_a_network_drops_nodes_on_request(digraph):
    model = GNN(1, [16], 1, dropout=0.5, dropout_form="nodes")
    assert "Dropout(p=0.5, form='nodes')" in repr(model)
    seen = []
    model.readout.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    model(torch.randn(4, 12, 1), digraph)
    silent = seen[0].eq(0)
    assert silent.all(-1).equal(silent.any(-1))
    assert silent.any()
    assert not silent.all()


def test_a_network_names_the_argument_that_is_wrong():
    with pytest.raises(ValueError, match="`dropout_form` must be"):
        GNN(1, [4], 1, dropout_form="edges")
