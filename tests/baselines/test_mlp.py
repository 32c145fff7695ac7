"""The network that does not know the graph."""

import torch
from sklearn.neural_network import MLPRegressor

from vicinal.baselines import MLP
from vicinal.graphs import Graph

PAIR = Graph.from_edges([(0, 1), (1, 0)])


def test_it_computes_what_scikit_learn_computes():
    model = MLP(2, 7, 3)
    twin = MLPRegressor(hidden_layer_sizes=7, max_iter=1)
    x = torch.randn(5, 2, 1)
    twin.partial_fit(x.flatten(1).double().numpy(), torch.zeros(5, 3).numpy())
    layers = (model.hidden, model.readout)
    twin.coefs_ = [layer.weight.detach().double().numpy().T for layer in layers]
    twin.intercepts_ = [layer.bias.detach().double().numpy() for layer in layers]
    expected = torch.from_numpy(twin.predict(x.flatten(1).double().numpy()))
    torch.testing.assert_close(model(x, PAIR).double(), expected)


def test_answers_per_node_and_dropout_in_training_only():
    model = MLP(2, 7, 2, dropout=0.5, per_node=True)
    x = torch.randn(5, 2, 1)
    assert model(x, PAIR).shape == (5, 2, 1)
    assert not model(x, PAIR).equal(model(x, PAIR))
    model.eval()
    assert model(x, PAIR).equal(model(x, PAIR))
