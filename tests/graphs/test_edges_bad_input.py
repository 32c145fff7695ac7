"""What a graph cannot be made of: every refusal says name, rule, value and remedy."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import torch

import vicinal as vc

Graph = vc.Graph
CHAIN = [(0, 1), (1, 2)]
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        (torch.zeros(3, 2).long(), ValueError, r"shape \(2, edges\), .*got \(3, 2\); "),
        (torch.tensor([0, 1, 2]), ValueError, r"source row and target row, got \(3,\)"),
        (np.zeros((2, 2, 1), dtype=int), ValueError, r"got \(2, 2, 1\)"),
        ([(0, 1, 2)], ValueError, r"must be pairs \(source, target\), got \(0, 1, 2\)"),
        ([(0, 1), (2,)], ValueError, r"must be pairs \(source, target\)"),
        ([0, 1], ValueError, r"must be pairs \(source, target\), got 0"),
        (torch.tensor([[0.0], [1.0]]), TypeError, "integers, got dtype float32"),
        ([(0.5, 1.0)], TypeError, "must hold integers, got dtype float64"),
        (torch.ones(2, 2).bool(), TypeError, "must hold integers, got dtype bool"),
        ([("0", "1")], TypeError, "must hold integers, got dtype <U1"),
        ([(0, None)], TypeError, "must hold integers, got dtype object"),
        ("0 1", TypeError, "must be a tensor, an array or pairs, got str"),
        (None, TypeError, "must be a tensor, an array or pairs, got NoneType"),
        (7, TypeError, "must be a tensor, an array or pairs, got int"),
        ([(0, -1)], ValueError, r"must name nodes in 0..2, got -1"),
        ([(0, 3)], ValueError, r"must name nodes in 0..2, got 3"),
        (torch.tensor([[5], [0]]), ValueError, r"must name nodes in 0..2, got 5"),
    ],
)
def test_edges_are_checked(edges, error, words):
    with pytest.raises(error, match="`edges` must ") as caught:
        Graph.from_edges(edges, num_nodes=3)
    caught.match(words)


def test_negative_ids_are_named_without_a_node_count_too():
    for edges in ([(0, -1)], [(-1, -2)]):
        with pytest.raises(ValueError, match=r"`edges` must .*got -[12]"):
            Graph.from_edges(edges)


@pytest.mark.parametrize(
    ("num_nodes", "error", "words"),
    [
        (True, TypeError, "must be an integer, got bool"),
        ("3", TypeError, "must be an integer, got str"),
        (3.0, TypeError, "must be an integer, got float"),
        ([3], TypeError, "must be an integer, got list"),
        (0, ValueError, r"must be in 1..2\^31-1, got 0"),
        (-1, ValueError, r"must be in 1..2\^31-1, got -1"),
        (2**31, ValueError, r"must be in 1..2\^31-1, got 2147483648"),
    ],
)
def test_the_number_of_nodes_is_checked(num_nodes, error, words):
    with pytest.raises(error, match=f"`num_nodes` {words}"):
        Graph.from_edges(CHAIN, num_nodes)


def test_a_numpy_integer_is_a_number_of_nodes():
    assert Graph.from_edges(CHAIN, np.int64(5)).num_nodes == 5


@pytest.mark.parametrize(
    "make",
    [
        lambda: Graph.from_edges([]),
        lambda: Graph.from_dense(np.zeros((0, 0))),
        lambda: Graph.from_networkx(nx.DiGraph()),
        lambda: Graph.from_pyg(torch.zeros(2, 0, dtype=torch.long)),
    ],
)
def test_a_graph_without_nodes_is_refused(make):
    with pytest.raises(ValueError, match=r"`num_nodes` must be .*got 0"):
        make()


@pytest.mark.parametrize(
    ("weight", "error", "words"),
    [
        ([1.0], ValueError, r"one value per edge, shape \(2,\), got \(1,\)"),
        ([[1.0], [2.0]], ValueError, r"one value per edge, shape \(2,\), got \(2, 1\)"),
        (1.0, ValueError, r"one value per edge, shape \(2,\), got \(\)"),
        ([[1.0], [1.0, 2.0]], ValueError, ""),
        ([1.0, NAN], ValueError, "must be finite, got nan"),
        (torch.tensor([INF, 1.0]), ValueError, "must be finite, got inf"),
        (np.array([1.0, -INF]), ValueError, "must be finite, got -inf"),
        (["1", "2"], TypeError, "must hold numbers, got dtype <U1"),
        ([1.0, None], TypeError, "must hold numbers, got dtype object"),
        ([1j, 2.0], TypeError, "must hold numbers, got dtype complex128"),
        ("12", TypeError, "must hold numbers"),
    ],
)
def test_weights_are_checked(weight, error, words):
    for make in (Graph.from_edges, lambda e, n, w: Graph.from_pyg(_index(e), n, w)):
        with pytest.raises(error, match="`weight` must ") as caught:
            make(CHAIN, 3, weight)
        caught.match(words)


def _index(pairs):
    return torch.tensor(pairs).T


@pytest.mark.parametrize(
    ("matrix", "error", "words"),
    [
        (np.zeros((2, 3)), ValueError, r"must be square, got shape \(2, 3\)"),
        (np.zeros(3), ValueError, r"must be square, got shape \(3,\)"),
        (torch.zeros(2, 2, 2), ValueError, r"must be square, got shape \(2, 2, 2\)"),
        ([[0, 1], [0]], ValueError, "must be square"),
        ([["a", "b"], ["c", "d"]], TypeError, "must hold numbers, got dtype <U1"),
        (np.eye(2) * 1j, TypeError, "must hold numbers, got dtype complex128"),
        ("matrix", TypeError, "must hold numbers, got dtype <U6"),
        (None, TypeError, "must hold numbers, got dtype object"),
        ([["0", "1"], ["1", "0"]], TypeError, "must hold numbers, got dtype <U1"),
        (torch.eye(2).to_sparse(), TypeError, "must be a dense tensor, got torch.spa"),
        (torch.eye(2, device="meta"), TypeError, "must be a dense tensor, got one wi"),
    ],
)
def test_matrices_are_checked(matrix, error, words):
    with pytest.raises(error, match=f"`matrix` {words}"):
        Graph.from_dense(matrix)


def test_scipy_matrices_are_checked():
    with pytest.raises(
        ValueError, match=r"`matrix` must be square, got shape \(2, 3\)"
    ):
        Graph.from_scipy(scipy.sparse.csr_array(np.zeros((2, 3))))
    words = (
        "`matrix` must be a SciPy sparse matrix, got ndarray; use `Graph.from_dense`"
    )
    with pytest.raises(TypeError, match=words):
        Graph.from_scipy(np.eye(2))


@pytest.mark.parametrize("value", [NAN, INF])
def test_matrices_and_attributes_that_are_not_finite_are_refused(value):
    matrix = np.array([[0.0, value], [1.0, 0.0]])
    theirs = nx.DiGraph([(0, 1, {"weight": value})])
    for make in (
        lambda: Graph.from_dense(matrix),
        lambda: Graph.from_dense(torch.tensor(matrix), orientation="out"),
        lambda: Graph.from_scipy(scipy.sparse.csr_array(matrix)),
        lambda: Graph.from_networkx(theirs),
    ):
        words = f"`(matrix|weight)` must be finite, got {value}"
        with pytest.raises(ValueError, match=words):
            make()
    with pytest.raises(ValueError, match="`matrix` must be finite"):
        Graph.from_dense(matrix)


def test_edges_without_data_are_refused():
    for edges in (torch.zeros(2, 3, device="meta").long(), torch.eye(2).to_sparse()):
        with pytest.raises(TypeError, match="`edges` must be a dense tensor, got "):
            Graph.from_edges(edges)


def test_weights_that_require_a_gradient_are_refused():
    weight = torch.ones(2, requires_grad=True)
    words = r"`weight` must not require a gradient, .*; pass `weight.detach\(\)`"
    with pytest.raises(ValueError, match=words):
        Graph.from_edges(CHAIN, weight=weight)
    with pytest.raises(ValueError, match="`matrix` must not require a gradient"):
        Graph.from_dense(torch.ones(2, 2, requires_grad=True))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Graph.from_edges(CHAIN, self_loops="no"), "self_loops"),
        (lambda: Graph.from_edges(CHAIN).neighborhoods(1, exact="no"), "exact"),
        (lambda: Graph.from_edges(CHAIN).shift(scaled=1), "scaled"),
    ],
)
def test_a_switch_is_true_or_false(call, name):
    with pytest.raises(TypeError, match=f"`{name}` must be True or False, got "):
        call()


@pytest.mark.parametrize("dtype", ["float32", torch.int64, None])
def test_a_shift_has_floating_point_entries(dtype):
    with pytest.raises(TypeError, match="`dtype` must be a floating point type"):
        Graph.from_edges(CHAIN).shift(scaled=False, dtype=dtype)


def test_a_device_that_is_none_is_refused():
    with pytest.raises(TypeError):
        Graph.from_edges(CHAIN).to(3.5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Graph.from_dense(np.eye(2), orientation="sideways"),
        lambda: Graph.from_scipy(scipy.sparse.eye_array(2), orientation="sideways"),
        lambda: Graph.from_edges(CHAIN).to_dense("sideways"),
        lambda: Graph.from_edges(CHAIN).to_scipy("sideways"),
    ],
)
def test_the_orientation_is_checked(call):
    with pytest.raises(ValueError, match="`orientation` must be 'in' or 'out', got"):
        call()


def test_the_rule_for_parallel_edges_is_checked():
    with pytest.raises(ValueError, match="`duplicates` must be 'raise' or 'sum', got"):
        Graph.from_edges(CHAIN, duplicates="keep")


def test_what_is_no_networkx_graph_is_refused():
    with pytest.raises(TypeError, match="`graph` must be a networkx graph, got dict"):
        Graph.from_networkx({0: [1]})
    text = nx.DiGraph([(0, 1, {"weight": "heavy"})])
    with pytest.raises(TypeError, match="`weight` must hold numbers, got dtype <U5"):
        Graph.from_networkx(text)


def test_what_is_no_pyg_data_is_refused():
    with pytest.raises(TypeError, match=r"`data` must be a PyG Data .*got str"):
        Graph.from_pyg("Cora")


@pytest.mark.parametrize(
    "order",
    [[0, 1], [0, 0, 1], [0, 1, 3], [-1, 0, 1], [[0, 1, 2]], [], [0.5, 1.0, 2.0]],
)
def test_an_order_that_is_no_permutation_is_refused(order):
    with pytest.raises(ValueError, match=r"`order` must hold each of 0..2 once, got "):
        Graph.from_edges(CHAIN).permute(order)


@pytest.mark.parametrize("order", ["021", None, [0.0, 1.0, 2.0], ["0", "1", "2"]])
def test_an_order_of_no_integers_is_refused(order):
    with pytest.raises((TypeError, ValueError), match="`order` must "):
        Graph.from_edges(CHAIN).permute(order)


@pytest.mark.parametrize("method", ["neighborhoods", "prepare", "cost"])
@pytest.mark.parametrize(
    ("hops", "error", "words"),
    [
        (-1, ValueError, "must be at least 0, got -1"),
        ("2", TypeError, "must be an integer, got str"),
        (1.5, TypeError, "must be an integer, got float"),
        (True, TypeError, "must be an integer, got bool"),
        (None, TypeError, "must be an integer, got NoneType"),
    ],
)
def test_the_number_of_hops_is_checked(method, hops, error, words):
    with pytest.raises(error, match=f"`hops` {words}"):
        getattr(Graph.from_edges(CHAIN), method)(hops)


def test_the_whole_component_needs_a_hop():
    with pytest.raises(ValueError, match="`hops` must be at least 1, got 0"):
        Graph.from_edges(CHAIN).whole_component(0)


def test_an_unknown_shift_is_refused_with_the_known_ones():
    words = r"`shift` must be one of \['adjacency', .*\], got 'adjacent'"
    with pytest.raises(ValueError, match=words):
        Graph.from_edges(CHAIN).shift("adjacent")
