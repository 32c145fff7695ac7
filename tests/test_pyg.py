"""The activations and the filter, called as PyG calls."""

import warnings

import brute
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import vicinal as vc
from vicinal import pyg

with warnings.catch_warnings():  # PyG uses what torch has deprecated
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated")
    from torch_geometric import EdgeIndex
    from torch_geometric.data import Batch, Data
    from torch_geometric.loader import DataLoader
    from torch_geometric.nn import GCNConv, Sequential, TAGConv, aggr
    from torch_geometric.utils import add_remaining_self_loops, to_undirected

ACTIVATIONS = {
    "median": lambda m, *a, **k: m.MedianActivation(*a, **k),
    "max": lambda m, *a, **k: m.MaxActivation(*a, **k),
    "mean": lambda m, *a, **k: m.MeanActivation(*a, **k),
    "rank": lambda m, *a, **k: m.RankActivation(0.3, *a, **k),
}
FILTERS = ["symmetric_with_self_loops", "random_walk", "unweighted", "adjacency"]


@pytest.fixture(params=list(ACTIVATIONS))
def activation(request):
    return ACTIVATIONS[request.param]


@pytest.fixture
def edge_index(digraph):
    return digraph.to_edges()[0][:, torch.randperm(digraph.num_edges)]


def with_random_weights(module):
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter)
    return module


def data(num_nodes, edges, features=3):
    edge_index = torch.tensor(edges, dtype=torch.long).reshape(-1, 2).T
    return Data(x=torch.randn(num_nodes, features), edge_index=edge_index)


# --- the same as vicinal.nn -----------------------------------------------------------


@pytest.mark.parametrize("hops", [0, 1, 2])
@pytest.mark.parametrize("features", [None, 5])
def test_activations_agree_with_vicinal_nn(
    activation, hops, features, digraph, edge_index
):
    ours = with_random_weights(activation(pyg, hops, features, pointwise=torch.tanh))
    theirs = activation(vc.nn, hops, features, pointwise=torch.tanh)
    theirs.load_state_dict(ours.module.state_dict())
    x = torch.randn(12, 5)
    assert ours(x, edge_index).equal(theirs(x, digraph))


def test_settings_reach_the_module(activation):
    ring = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    act = activation(pyg, 2, initial="uniform", reach="exact")
    torch.nn.init.ones_(act.module.weight)
    x = torch.tensor([[1.0], [2.0], [4.0], [8.0]])
    assert act(x, ring).flatten().tolist() == [13.0, 11.0, 7.0, 14.0]
    assert act.module.initial == "uniform"


@pytest.mark.parametrize("shift", FILTERS)
@pytest.mark.parametrize("scaled", [False, True])
def test_the_filter_agrees_with_vicinal_nn(shift, scaled, digraph, edge_index):
    ours = pyg.GraphFilter(5, 4, taps=3, shift=shift, scaled=scaled)
    theirs = vc.nn.GraphFilter(5, 4, taps=3, shift=shift, scaled=scaled)
    theirs.load_state_dict(ours.module.state_dict())
    x = torch.randn(2, 12, 5)
    weight = torch.rand(edge_index.size(1))
    dense = torch.zeros(12, 12).index_put((edge_index[1], edge_index[0]), weight)
    expected = theirs(x, vc.Graph.from_dense(dense))
    assert torch.allclose(ours(x, edge_index, weight), expected, atol=1e-6)
    assert torch.allclose(ours(x, edge_index), theirs(x, digraph), atol=1e-6)


def test_leading_dimensions_are_batches_of_signals(activation, edge_index):
    act = activation(pyg, 2)
    x = torch.randn(2, 3, 12, 4)
    torch.testing.assert_close(act(x, edge_index)[1, 2], act(x[1, 2], edge_index))


# --- PyG as reference -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "reference"),
    [
        (pyg.MaxActivation(), aggr.MaxAggregation()),
        (pyg.RankActivation(0.0), aggr.MinAggregation()),
        (pyg.RankActivation(0.5), aggr.MedianAggregation()),
        (pyg.MeanActivation(), aggr.MeanAggregation()),
    ],
)
def test_one_hop_values_agree_with_pyg(act, reference, edge_index):
    act.module.weight.data = torch.tensor([0.0, 1.0])
    x = torch.randn(12, 4)
    (source, target), _ = add_remaining_self_loops(edge_index, num_nodes=12)
    expected = reference(x[source], target, dim_size=12)
    assert torch.allclose(act(x, edge_index), expected)
    (looped, _) = add_remaining_self_loops(edge_index, num_nodes=12)
    assert torch.allclose(act(x, looped), expected)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.data())
def test_the_lower_median_is_that_of_pyg(drawn):
    num_nodes, edges = drawn.draw(brute.digraphs(most=8))
    x = drawn.draw(brute.signals((num_nodes, 2)))
    edge_index = torch.tensor(edges, dtype=torch.long).reshape(-1, 2).T
    graph = vc.Graph.from_pyg(edge_index, num_nodes)
    found = vc.functional.local_median(x, graph, convention="lower")
    source, target = add_remaining_self_loops(edge_index, num_nodes=num_nodes)[0]
    expected = aggr.MedianAggregation()(x[source], target, dim_size=num_nodes)
    assert torch.equal(found[0], expected)


def test_a_normalised_filter_is_pygs_tag_convolution(digraph):
    undirected = to_undirected(digraph.to_edges()[0])
    weight = torch.rand(undirected.size(1))
    reference = TAGConv(5, 4, K=2)
    ours = pyg.GraphFilter(5, 4, taps=3, shift="symmetric")
    ours.module.weight.data = torch.stack([lin.weight.T for lin in reference.lins])
    ours.module.bias.data.copy_(reference.bias)
    x = torch.randn(12, 5)
    for given_weight in (None, weight):
        expected = reference(x, undirected, given_weight)
        found = ours(x, undirected, given_weight)
        assert torch.allclose(found, expected, atol=1e-6)


def test_the_default_shift_is_the_propagation_of_a_gcn(edge_index):
    reference = GCNConv(5, 4)
    ours = pyg.GraphFilter(5, 4, taps=2)
    ours.module.weight.data = torch.stack([torch.zeros(5, 4), reference.lin.weight.T])
    ours.module.bias.data.copy_(reference.bias)
    x, weight = torch.randn(12, 5), torch.rand(edge_index.size(1))
    expected = reference(x, edge_index, weight)
    assert torch.allclose(ours(x, edge_index, weight), expected, atol=1e-6)


def test_parallel_edges_count_once_in_an_activation(activation, edge_index):
    act = activation(pyg, 2)
    x = torch.randn(12, 4)
    twice = torch.cat([edge_index, edge_index[:, :7], edge_index[:, :3]], dim=1)
    assert act(x, twice).equal(act(x, edge_index))


def test_weights_of_parallel_edges_are_added_in_the_filter():
    bank = pyg.GraphFilter(1, 1, taps=2, bias=False, shift="adjacency")
    bank.module.weight.data = torch.tensor([0.0, 1.0]).view(2, 1, 1)
    edge_index = torch.tensor([[0, 1, 0], [1, 0, 1]])
    x = torch.tensor([[1.0], [10.0]])
    assert bank(x, edge_index).flatten().tolist() == [10.0, 2.0]
    weight = torch.tensor([0.25, 3.0, 0.5])
    assert bank(x, edge_index, weight).flatten().tolist() == [30.0, 0.75]


def test_pygs_own_edge_index_is_taken(activation):
    plain = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    act, x = activation(pyg, 1), torch.randn(3, 2)
    assert act(x, EdgeIndex(plain, sparse_size=(3, 3))).equal(act(x, plain))


# --- mini-batches ---------------------------------------------------------------------

GRAPHS = [
    (4, [(0, 1), (1, 2), (2, 0)]),  # a cycle and an isolated node
    (1, []),
    (3, [(0, 1), (1, 0), (1, 2), (2, 1)]),
    (5, [(4, 0), (4, 1), (4, 2), (4, 3), (0, 4), (2, 2)]),
]


def test_a_mini_batch_is_each_graph_alone(activation):
    graphs = [data(*graph) for graph in GRAPHS]
    batch = Batch.from_data_list(graphs)
    act = activation(pyg, 2)
    expected = torch.cat([act(g.x, g.edge_index) for g in graphs])
    assert torch.allclose(act(batch.x, batch.edge_index), expected)


@pytest.mark.parametrize("shift", FILTERS)
def test_a_filtered_mini_batch_is_each_graph_alone(shift):
    graphs = [data(*graph) for graph in GRAPHS]
    for graph in graphs:
        graph.edge_weight = torch.rand(graph.num_edges)
    batch = Batch.from_data_list(graphs)
    bank = pyg.GraphFilter(3, 2, taps=4, shift=shift)
    expected = [bank(g.x, g.edge_index, g.edge_weight) for g in graphs]
    found = bank(batch.x, batch.edge_index, batch.edge_weight)
    assert torch.allclose(found, torch.cat(expected), atol=1e-6)


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.lists(brute.digraphs(), min_size=1, max_size=4), st.integers(1, 3))
def test_medians_of_a_mini_batch_are_those_of_sets(drawn, hops):
    graphs = [data(*graph) for graph in drawn]
    batch = Batch.from_data_list(graphs)
    act = pyg.MedianActivation(hops)
    act.module.weight.data = torch.eye(hops + 1)[hops]  # the widest balls alone
    found = act(batch.x, batch.edge_index).split([n for n, _ in drawn])
    for values, graph, (n, edges) in zip(found, graphs, drawn, strict=True):
        balls = brute.balls(edges, n, hops)[-1]
        expected, _ = brute.select(graph.x[None], balls, brute.upper)
        assert values.equal(expected[0])


def test_a_loader_feeds_the_activations(activation):
    graphs = [data(*graph) for graph in GRAPHS * 6]
    act = activation(pyg, 1)
    for batch in DataLoader(graphs, batch_size=5):
        found = act(batch.x, batch.edge_index)
        alone = [act(g.x, g.edge_index) for g in batch.to_data_list()]
        assert torch.allclose(found, torch.cat(alone))


# --- inside PyG models ----------------------------------------------------------------


def gcn(act):
    layers = [
        (GCNConv(3, 8), "x, edge_index -> x"),
        (act, "x, edge_index -> x"),
        (GCNConv(8, 2), "x, edge_index -> x"),
    ]
    return Sequential("x, edge_index", layers)


def test_an_activation_stands_between_two_gcn_layers(activation, digraph, edge_index):
    act = activation(pyg, 1, 8)
    model = gcn(act)
    x = torch.randn(12, 3)
    first, second = model[0], model[2]
    hidden = act.module(first(x, edge_index), digraph)
    assert model(x, edge_index).equal(second(hidden, edge_index))


def test_every_parameter_of_such_a_gcn_gets_a_gradient(activation, edge_index):
    model = gcn(activation(pyg, 2, 8))
    model(torch.randn(12, 3), edge_index).square().sum().backward()
    assert len(list(model.parameters())) == 5
    assert all(parameter.grad.abs().max() > 0 for parameter in model.parameters())


def test_such_a_gcn_learns(edge_index):
    model, x = gcn(pyg.MedianActivation(1, 8)), torch.randn(12, 3)
    label = (x[:, 0] > 0).long()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(30):
        loss = torch.nn.functional.cross_entropy(model(x, edge_index), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


def test_a_filter_stands_in_a_sequential_with_weights(edge_index):
    layers = [
        (pyg.GraphFilter(3, 4, taps=2), "x, edge_index, weight -> x"),
        (pyg.MaxActivation(), "x, edge_index -> x"),
    ]
    model = Sequential("x, edge_index, weight", layers)
    weight = torch.rand(edge_index.size(1))
    x = torch.randn(12, 3)
    expected = model[1](model[0](x, edge_index, weight), edge_index)
    assert model(x, edge_index, weight).equal(expected)
