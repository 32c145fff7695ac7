"""sRMGCNN: its size, its ends, its start, and that it learns."""

import networkx as nx
import numpy as np
import pytest
import torch

from vicinal.rivals.srmgcnn import (
    SRMGCNN,
    initial_factors,
    normalized_laplacian,
    rescaled,
    roughness,
)
from vicinal.rivals.srmgcnn_training import complete


def networks(users=14, movies=12):
    graphs = [nx.random_regular_graph(3, n, seed=1) for n in (users, movies)]
    return [torch.tensor(nx.to_numpy_array(g), dtype=torch.float32) for g in graphs]


def known(users=14, movies=12):
    pairs = torch.cartesian_prod(torch.arange(users), torch.arange(movies))
    return pairs, ((pairs[:, 0] % 3 + pairs[:, 1] % 3) + 1).float()


def test_it_has_the_published_parameters():
    model = SRMGCNN()
    assert sum(p.numel() for p in model.parameters()) == 20_564
    names = ("convolution", "change")
    sizes = [
        sum(p.numel() for n, p in model.named_parameters() if name in n)
        for name in names
    ]
    assert sizes == [3_264, 660]


def test_the_laplacian_is_networkxs():
    graph = nx.random_regular_graph(3, 10, seed=0)
    graph.add_edge(*next(nx.non_edges(graph)))
    ours = normalized_laplacian(torch.tensor(nx.to_numpy_array(graph)))
    expected = nx.normalized_laplacian_matrix(graph).toarray()
    np.testing.assert_allclose(ours.numpy(), expected, atol=1e-12)


def test_no_step_returns_the_rescaled_svd():
    _, stars = known()
    matrix = stars.view(14, 12)
    w, h = initial_factors(matrix)
    model = SRMGCNN(steps=0)
    out = model(w, h, *(normalized_laplacian(a) for a in networks()))
    u, s, v = np.linalg.svd(matrix.numpy())
    expected = (u[:, :10] * s[:10]) @ v[:10]
    expected = 1 + 4 * (expected - expected.min()) / (expected.max() - expected.min())
    np.testing.assert_allclose(rescaled(out[0] @ out[1].T), expected, atol=2e-5)


def test_both_ends_are_reached_and_the_loss_falls():
    found = complete(*known(), *networks(), 101, seed=0)
    assert found.ratings.min() == 1
    assert found.ratings.max() == 5
    assert found.losses[-1] < 0.7 * found.losses[0]
    assert found.parameters == 20_564


def test_the_same_seed_gives_the_same_matrix():
    one, two = (complete(*known(), *networks(), 11, seed=3) for _ in range(2))
    assert torch.equal(one.ratings, two.ratings)


def test_roughness_is_the_trace():
    w, h = torch.randn(14, 10).double(), torch.randn(12, 10).double()
    rows, columns = (normalized_laplacian(a.double()) for a in networks())
    x = w @ h.T
    expected = torch.trace(x @ columns @ x.T) + torch.trace(x.T @ rows @ x)
    torch.testing.assert_close(roughness(w, h, rows, columns), expected)


@pytest.mark.parametrize("name", ["users", "movies"])
def test_a_step_is_the_published_cell(name):
    """One step of one factor, written out again gate by gate."""
    torch.manual_seed(0)
    model = SRMGCNN(steps=1).double()
    part = getattr(model, name)
    factor, adjacency = torch.randn(14, 10).double(), networks()[0].double()
    laplacian = normalized_laplacian(adjacency)
    shifted = laplacian - torch.eye(14)
    terms = [torch.eye(14).double(), shifted]
    for _ in range(3):
        terms.append(2 * shifted @ terms[-1] - terms[-2])
    stacked = torch.cat([term @ factor for term in terms], dim=1)
    seen = (stacked @ part.convolution.weight.T + part.convolution.bias).clamp(min=0)
    _, enter, _, new = torch.sigmoid(seen @ part.inputs + part.bias).chunk(4, dim=1)
    change = (enter * new) @ part.change.weight.T + part.change.bias
    expected = factor + torch.tanh(change)
    torch.testing.assert_close(part(factor, laplacian, 1), expected)
