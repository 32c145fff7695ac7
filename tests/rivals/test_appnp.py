"""APPNP against PyG's propagation with the same weights."""

import pytest
import torch
from rivals.made_up import CLASSES, FEATURES, edge_index, features, graph

from vicinal.rivals import APPNP

pyg = pytest.importorskip("torch_geometric.nn", reason="the extra 'pyg' is missing")


@pytest.mark.parametrize(("steps", "teleport"), [(10, 0.1), (0, 0.1), (3, 0.7)])
def test_it_is_pygs(steps, teleport):
    model = APPNP(FEATURES, 64, CLASSES, steps=steps, teleport=teleport)
    model, x = model.double().eval(), features()
    spread = pyg.APPNP(K=steps, alpha=teleport)
    theirs = spread((x @ model.first).relu() @ model.second, edge_index())
    torch.testing.assert_close(model(x, graph()), theirs)
    torch.testing.assert_close(model(x.to_sparse(), graph()), theirs)


def test_sparse_dropout_drops_half_of_the_words_and_doubles_the_others():
    model = APPNP(40, 8, CLASSES, dropout=0.5)
    words = torch.ones(500, 40).to_sparse()
    dropped = model._drop(words).to_dense()
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert dropped.mean() == pytest.approx(1.0, abs=0.05)  # 20,000 draws: sd 0.007
    assert model.eval()._drop(words).to_dense().unique().tolist() == [1.0]


def test_weights_start_within_one_over_the_root_of_inputs():
    model = APPNP(1433, 64, 7)
    assert sum(p.numel() for p in model.parameters()) == 1433 * 64 + 64 * 7
    assert model.first.abs().max().item() == pytest.approx(1433**-0.5, rel=1e-3)
    assert model.second.abs().max() <= 64**-0.5
