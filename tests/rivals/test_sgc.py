"""SGC against PyG's layer with the same weights."""

import pytest
import torch
from rivals.made_up import CLASSES, FEATURES, edge_index, features, graph

from vicinal.rivals import SGC

pyg = pytest.importorskip("torch_geometric.nn", reason="the extra 'pyg' is missing")


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_it_is_pygs(steps):
    model, x = SGC(FEATURES, CLASSES, steps=steps).double(), features()
    theirs = pyg.SGConv(FEATURES, CLASSES, K=steps).double()
    with torch.no_grad():
        theirs.lin.weight.copy_(model.weight.T)
        theirs.lin.bias.copy_(model.bias)
    expected = theirs(x, edge_index())
    torch.testing.assert_close(model(x, graph()), expected)
    torch.testing.assert_close(model(x.to_sparse(), graph()), expected)


def test_weights_start_as_those_of_a_linear_layer():
    model = SGC(1433, 7)
    assert model.weight.abs().max().item() == pytest.approx(1433**-0.5, rel=1e-3)
    assert model.bias.abs().max() <= 1433**-0.5
