"""GCN against PyG's layers with the same weights."""

import pytest
import torch
from rivals.made_up import (
    CLASSES,
    FEATURES,
    edge_index,
    features,
    graph,
    random_walk_edges,
)

from vicinal.rivals import GCN

pyg = pytest.importorskip("torch_geometric.nn", reason="the extra 'pyg' is missing")


def by_pyg(model, x, normalize, *edges):
    """Two of PyG's layers with the weights of a model."""
    layers = [
        pyg.GCNConv(FEATURES, 16, normalize=normalize).double(),
        pyg.GCNConv(16, CLASSES, normalize=normalize).double(),
    ]
    weights = [(model.first, model.first_bias), (model.second, model.second_bias)]
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, weights, strict=True):
            layer.lin.weight.copy_(weight.T)
            layer.bias.copy_(bias)
    return layers[1](layers[0](x, *edges).relu(), *edges)


def test_the_articles_form_is_pygs():
    model = GCN(FEATURES, 16, CLASSES, shift="symmetric_with_self_loops")
    model, x = model.double().eval(), features()
    theirs = by_pyg(model, x, True, edge_index())
    torch.testing.assert_close(model(x, graph()), theirs)


def test_pygcns_form_is_pygs_with_rows_that_sum_to_one():
    model, x = GCN(FEATURES, 16, CLASSES).double().eval(), features()
    theirs = by_pyg(model, x, False, *random_walk_edges())
    torch.testing.assert_close(model(x, graph()), theirs)


def test_sparse_features_give_the_same_and_the_same_gradients():
    model, x = GCN(FEATURES, 16, CLASSES).double().eval(), features()
    gradients = []
    for form in (x, x.to_sparse()):
        model.zero_grad()
        model(form, graph()).square().sum().backward()
        gradients.append([p.grad.clone() for p in model.parameters()])
    torch.testing.assert_close(*gradients)


def test_dropout_lies_between_the_layers():
    model = GCN(FEATURES, 16, CLASSES, dropout=1.0).double()
    answer = model(features(), graph())
    torch.testing.assert_close(answer, model.second_bias.expand_as(answer))


def test_weights_start_within_one_over_the_root_of_outputs():
    model = GCN(1433, 16, 7)
    assert sum(p.numel() for p in model.parameters()) == 1433 * 16 + 16 + 16 * 7 + 7
    assert model.first.abs().max().item() == pytest.approx(16**-0.5, rel=1e-3)
    assert model.second.abs().max() <= 7**-0.5
    assert model.second_bias.abs().max() <= 7**-0.5
