"""Neighbourhoods are kept and sliced; the bug of release 0.1 as an option."""

import networkx as nx
import pytest
import torch
from graphs.strategies import graph_of, weighted_digraphs
from hypothesis import given, settings

import vicinal as vc

Graph = vc.Graph


def same(first, second):
    return torch.equal(first.indptr, second.indptr) and torch.equal(
        first.indices, second.indices
    )


def test_neighborhoods_are_kept_once_computed(digraph):
    found = digraph.neighborhoods(3)
    assert digraph.neighborhoods(3) is found
    assert digraph.prepare(hops=3).neighborhoods(3) is found
    assert digraph.neighborhoods(3, exact=True) is not found
    assert digraph.neighborhoods(3) is found


def test_fewer_hops_are_views_of_what_is_kept(digraph):
    wide = digraph.neighborhoods(3)
    narrow = digraph.neighborhoods(1)
    assert narrow.hops == 1
    assert narrow.indices.data_ptr() == wide.indices.data_ptr()
    assert same(narrow, digraph.reverse().reverse().neighborhoods(1))
    assert digraph.neighborhoods(3) is wide


def test_more_hops_replace_what_is_kept(digraph):
    digraph.prepare(hops=1)
    wide = digraph.neighborhoods(2)
    assert wide.hops == 2
    assert digraph.neighborhoods(2) is wide


def test_prepare_returns_the_graph_itself(digraph):
    assert digraph.prepare(hops=2) is digraph
    assert digraph.prepare(hops=2, exact=True, shift="laplacian") is digraph


@pytest.mark.parametrize("exact", [False, True])
def test_up_to_gives_the_rows_of_fewer_hops(digraph, exact):
    wide = digraph.neighborhoods(3, exact=exact)
    for hops in range(4):
        narrow = wide.up_to(hops)
        rows = hops * wide.num_nodes
        assert narrow.hops == hops
        assert narrow.num_nodes == wide.num_nodes
        assert narrow.indptr.tolist() == wide.indptr[: rows + 1].tolist()
        assert narrow.indices.tolist() == wide.indices[: narrow.indptr[-1]].tolist()


def test_up_to_all_hops_is_the_same_object(digraph):
    wide = digraph.neighborhoods(2)
    assert wide.up_to(2) is wide


def test_no_hops_are_no_rows(digraph):
    for found in (digraph.neighborhoods(0), digraph.prepare(2).neighborhoods(0)):
        assert (found.hops, found.ends) == (0, ())
        assert found.indptr.tolist() == [0]
        assert found.indices.numel() == 0


@pytest.mark.parametrize("hops", [-1, 3, 10])
def test_up_to_more_hops_than_there_are_is_refused(digraph, hops):
    with pytest.raises(ValueError, match=rf"`hops` must .*got {hops}"):
        digraph.neighborhoods(2).up_to(hops)


@pytest.mark.parametrize(("node", "hop"), [(-1, 1), (12, 1), (0, 0), (0, 3), (0, -1)])
def test_a_neighborhood_that_is_not_there_is_refused(digraph, node, hop):
    with pytest.raises(
        (ValueError, IndexError), match=r"`(node|hop)` must .*got -?\d+"
    ):
        digraph.neighborhoods(2).of(node=node, hop=hop)


def test_strings_for_numbers_are_refused(digraph):
    around = digraph.neighborhoods(2)
    with pytest.raises(TypeError, match="`node` must be an integer, got str"):
        around.of(node="0", hop=1)
    with pytest.raises(TypeError, match="`hop` must be an integer, got float"):
        around.of(node=0, hop=1.0)
    with pytest.raises(TypeError, match="`hops` must be an integer, got str"):
        around.up_to("1")


def test_the_whole_component_is_kept(digraph):
    assert digraph.whole_component(2) is digraph.whole_component(2)


def test_a_graph_without_data_must_have_been_prepared(digraph):
    moved = digraph.prepare(1).to("meta")
    assert moved.neighborhoods(1).num_nodes == digraph.num_nodes
    words = r"`graph` must hold data .*; call `graph.prepare\(hops=2\)` before it"
    with pytest.raises(ValueError, match=words):
        moved.neighborhoods(2)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(weighted_digraphs())
def test_the_whole_component_is_every_ancestor(drawn):
    graph = graph_of(drawn)
    theirs = graph.to_networkx()
    found = graph.whole_component(3)
    assert same(found.up_to(1), graph.neighborhoods(1))
    for node in range(graph.num_nodes):
        expected = sorted(nx.ancestors(theirs, node) | {node})
        assert found.of(node, hop=2).tolist() == expected
        assert found.of(node, hop=3).tolist() == expected


def test_the_whole_component_of_the_reversed_graph_is_every_descendant():
    theirs = nx.gnp_random_graph(30, 0.06, seed=1, directed=True)
    found = Graph.from_networkx(theirs).reverse().whole_component(2)
    for node in theirs:
        expected = sorted(nx.descendants(theirs, node) | {node})
        assert found.of(node, hop=2).tolist() == expected


def test_the_whole_component_of_a_path_is_the_path():
    path = Graph.from_networkx(nx.path_graph(10))
    found = path.whole_component(3)
    sizes = found.indptr.diff().view(3, 10)
    assert sizes[0].tolist() == [2, *[3] * 8, 2]
    assert sizes[1:].unique().tolist() == [10]


def test_the_whole_component_for_one_hop_is_the_ball(digraph):
    assert same(digraph.whole_component(1), digraph.neighborhoods(1))
