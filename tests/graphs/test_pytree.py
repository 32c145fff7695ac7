"""Graphs, neighbourhoods and matrices as pytrees: torch takes them apart and back."""

import pytest
import scipy.sparse
import torch
from torch import Tensor
from torch.utils import _pytree as pytree

import vicinal as vc
from vicinal.graphs import SparseMatrix

Graph = vc.Graph


def leaves_of(tree):
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, Tensor)]


def round_trip(tree):
    leaves, spec = pytree.tree_flatten(tree)
    return pytree.tree_unflatten(leaves, spec)


@pytest.fixture
def sparse_graph():
    """A ring too sparse for dense shift operators."""
    return Graph.from_edges([(i, (i + 1) % 20) for i in range(20)])


def test_a_bare_graph_is_three_tensors(digraph):
    leaves = pytree.tree_leaves(digraph)
    assert all(isinstance(leaf, Tensor) for leaf in leaves)
    fields = [digraph.indptr, digraph.indices, digraph.weight]
    assert {id(leaf) for leaf in leaves} == {id(field) for field in fields}


def test_a_graph_comes_back_equal(digraph):
    again = round_trip(digraph)
    assert isinstance(again, Graph)
    assert again == digraph
    assert again is not digraph


def test_a_graph_comes_back_with_what_it_keeps(digraph):
    digraph.prepare(hops=3, shift="adjacency", scaled=False)
    digraph.prepare(hops=2, exact=True)
    again = round_trip(digraph)
    for exact, hops in ((False, 3), (True, 2)):
        kept = again.neighborhoods(hops, exact=exact)
        assert kept.indices is digraph.neighborhoods(hops, exact=exact).indices
    shift = again.shift("adjacency", scaled=False)
    assert shift.rows[2] is digraph.shift("adjacency", scaled=False).rows[2]


def test_what_a_graph_keeps_is_among_its_leaves(sparse_graph):
    before = len(leaves_of(sparse_graph))
    sparse_graph.prepare(hops=2)
    with_balls = len(leaves_of(sparse_graph))
    sparse_graph.prepare(hops=2, shift="laplacian")
    assert before < with_balls < len(leaves_of(sparse_graph))


def test_graphs_prepared_alike_have_the_same_structure():
    first = Graph.from_edges([(0, 1), (1, 0)]).prepare(hops=2)
    second = Graph.from_edges([(0, 1), (1, 0)], weight=[2.0, 3.0]).prepare(hops=2)
    assert pytree.tree_structure(first) == pytree.tree_structure(second)
    other = Graph.from_edges([(0, 1), (1, 0)]).prepare(hops=3)
    assert pytree.tree_structure(first) != pytree.tree_structure(other)


def test_the_order_of_preparation_does_not_matter(digraph):
    other = digraph.reverse().reverse()
    digraph.prepare(hops=2).shift("laplacian")
    other.shift("laplacian")
    other.prepare(hops=2)
    assert pytree.tree_structure(digraph) == pytree.tree_structure(other)


def test_what_a_copy_keeps_later_is_not_kept_by_the_original(digraph):
    again = round_trip(digraph)
    again.prepare(hops=2)
    assert len(leaves_of(again)) > len(leaves_of(digraph))


def test_neighborhoods_come_back(digraph):
    balls = digraph.neighborhoods(3)
    again = round_trip(balls)
    assert again.indptr is balls.indptr
    assert again.indices is balls.indices
    assert (again.hops, again.num_nodes) == (3, 12)
    assert (tuple(again.ends), again.smallest) == (balls.ends, balls.smallest)
    assert again.up_to(2).indices.equal(balls.up_to(2).indices)


@pytest.mark.parametrize("density", [0.02, 0.9])
def test_sparse_matrices_come_back(density):
    theirs = scipy.sparse.random_array((20, 20), density=density, rng=0)
    matrix = SparseMatrix.from_scipy(theirs)
    again = round_trip(matrix)
    assert tuple(again.shape) == (20, 20)
    assert again.to_dense().equal(matrix.to_dense())
    assert all(a is b for a, b in zip(again.rows, matrix.rows, strict=True))
    assert all(a is b for a, b in zip(again.columns, matrix.columns, strict=True))
    assert again.dense is matrix.dense


def test_a_function_can_be_mapped_over_the_tensors(sparse_graph):
    sparse_graph.prepare(hops=2, shift="adjacency")
    doubled = pytree.tree_map_only(
        Tensor, lambda t: t * 2 if t.is_floating_point() else t, sparse_graph
    )
    assert doubled.weight.equal(sparse_graph.weight * 2)
    assert doubled.shift().rows[2].equal(sparse_graph.shift().rows[2] * 2)
    assert doubled.neighborhoods(2).indices.equal(sparse_graph.neighborhoods(2).indices)


def test_a_graph_may_sit_inside_other_structures(digraph):
    tree = {"graph": digraph, "signals": [torch.zeros(2), None]}
    again = round_trip(tree)
    assert again["graph"] == digraph


def test_leaves_have_names(digraph):
    keyed, _ = pytree.tree_flatten_with_path(digraph)
    names = {pytree.keystr(path) for path, _ in keyed}
    assert {".indptr", ".indices", ".weight"} <= names


@pytest.mark.parametrize("prepared", [False, True])
def test_the_structure_can_be_written_and_read(digraph, prepared):
    if prepared:
        digraph.prepare(hops=2, shift="adjacency")
    leaves, spec = pytree.tree_flatten(digraph)
    read = pytree.treespec_loads(pytree.treespec_dumps(spec))
    again = pytree.tree_unflatten(leaves, read)
    assert again == digraph
    if prepared:
        assert again.neighborhoods(2).indices is digraph.neighborhoods(2).indices
        assert again.neighborhoods(1).hops == 1
        assert again.shift().to_dense().equal(digraph.shift().to_dense())


@pytest.mark.parametrize("prepared", [False, True])
def test_a_structure_that_was_written_and_read_is_the_same(digraph, prepared):
    if prepared:
        digraph.prepare(hops=2, shift="adjacency")
    spec = pytree.tree_structure(digraph)
    assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec
