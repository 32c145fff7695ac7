"""The matrix of neighbourhood means against loops over sets."""

import brute
import pytest
import torch
from graphs.strategies import graph_of, weighted_digraphs
from hypothesis import given, settings

from vicinal.graphs import averages


@settings(deadline=None, max_examples=40, derandomize=True)
@given(weighted_digraphs())
def test_rows_are_means_over_balls(drawn):
    num_nodes, edges, _ = drawn
    rows = [row for rows in brute.balls(edges, num_nodes, 2) for row in rows]
    x = torch.randn(1, num_nodes, 3, dtype=torch.float64)
    found = averages(graph_of(drawn), 2, torch.float64).to_dense() @ x[0]
    assert torch.allclose(found, brute.mean(x, rows)[0], atol=1e-12)


def test_rows_over_neighborhoods_made_by_hand(digraph):
    walks = digraph.neighborhoods(2, exact=True)
    found = averages(walks, 2).to_dense()
    sizes = walks.indptr.diff()
    assert found.shape == (24, 12)
    assert torch.allclose(found.sum(dim=1), (sizes > 0).float())
    assert (found != 0).sum(dim=1).equal(sizes)


def test_empty_rows_are_zero(chain):
    found = averages(chain.neighborhoods(1, exact=True), 1).to_dense()
    assert found.tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def test_the_matrix_is_kept_on_the_graph(digraph):
    assert averages(digraph, 2) is averages(digraph, 2)
    assert averages(digraph, 1) is not averages(digraph, 2)
    assert averages(digraph, 2, torch.float64).rows[2].dtype == torch.float64


def test_hops_are_checked(digraph):
    with pytest.raises(ValueError, match="`hops` must be at least 0, got -1"):
        averages(digraph, -1)
