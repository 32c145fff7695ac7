"""Graphs of edge lists are found again by content, and by nothing else."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import vicinal as vc
from vicinal.graphs import recent as module
from vicinal.graphs.recent import recent

PATH = [[0, 1, 1, 2], [1, 0, 2, 1]]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(module, "_kept", [])


def ring(num_nodes):
    nodes = torch.arange(num_nodes)
    return torch.stack([nodes, (nodes + 1) % num_nodes])


def test_the_graph_of_equal_edges_is_found_again():
    graph = recent(torch.tensor(PATH), 3)
    assert recent(torch.tensor(PATH), 3) is graph
    assert graph == vc.Graph.from_edges(torch.tensor(PATH), 3)


def test_equal_weights_are_found_again_and_others_are_not():
    edges, weight = torch.tensor(PATH), torch.tensor([1.0, 2.0, 3.0, 4.0])
    graph = recent(edges, 3, weight)
    assert recent(edges, 3, weight.clone()) is graph
    assert recent(edges, 3, weight + 1).weight.tolist() == [3.0, 2.0, 5.0, 4.0]
    assert recent(edges, 3).weight.tolist() == [1.0] * 4


def test_a_weight_changed_in_place_is_another_weight():
    edges, weight = torch.tensor(PATH), torch.tensor([1.0, 2.0, 3.0, 4.0])
    recent(edges, 3, weight)
    weight[0] = 9.0
    assert recent(edges, 3, weight).to_dense()[1, 0] == 9.0


def test_another_number_of_nodes_is_another_graph():
    edges = torch.tensor(PATH)
    assert recent(edges, 3).num_nodes == 3
    assert recent(edges, 5).num_nodes == 5
    assert recent(edges, 3).num_nodes == 3


def test_edges_changed_in_place_are_other_edges():
    edges = torch.tensor(PATH)
    before = recent(edges, 3)
    edges[0, 3] = 0
    assert recent(edges, 3).to_dense().tolist() == [[0, 1, 0], [2, 0, 0], [0, 1, 0]]
    assert before == vc.Graph.from_edges(torch.tensor(PATH), 3)


def test_edges_changed_through_numpy_are_other_edges():
    memory = np.array(PATH)
    edges = torch.from_numpy(memory)
    recent(edges, 3)
    version = edges._version
    memory[:, 0] = [2, 0]
    assert edges._version == version  # torch did not notice, the comparison does
    assert recent(edges, 3).to_dense()[0].tolist() == [0, 1, 1]


def test_another_tensor_at_the_same_address_is_another_tensor():
    memory = np.array(PATH)
    first = torch.from_numpy(memory)
    address = first.data_ptr()
    recent(first, 3)
    del first
    memory[:] = [[2, 2, 0, 1], [0, 1, 2, 2]]
    second = torch.from_numpy(memory)
    assert second.data_ptr() == address
    expected = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert recent(second, 3).to_dense().tolist() == expected


def test_freed_and_reallocated_tensors_never_meet_an_old_graph():
    addresses = set()
    for k in range(60):  # more than are kept, so that copies are freed as well
        edges = torch.tensor([[k, 5], [7, k]])
        addresses.add(edges.data_ptr())
        expected = vc.Graph.from_edges([(k, 7), (5, k)], 60, duplicates="sum")
        assert recent(edges, 60) == expected
        del edges
    assert len(addresses) < 60  # the allocator did use addresses again


def test_the_kept_copy_does_not_follow_its_original():
    edges = torch.tensor(PATH)
    graph = recent(edges, 3)
    edges.zero_()
    assert recent(torch.tensor(PATH), 3) is graph


def test_edges_of_another_integer_type_are_not_confused():
    wide = recent(torch.tensor(PATH), 3)
    narrow = recent(torch.tensor(PATH, dtype=torch.int32), 3)
    assert narrow == wide


def test_weights_of_another_precision_keep_theirs():
    edges, weight = torch.tensor(PATH), torch.tensor([1.0, 2.0, 3.0, 4.0])
    assert recent(edges, 3, weight).weight.dtype == torch.float32
    assert recent(edges, 3, weight.double()).weight.dtype == torch.float64


def test_views_of_one_memory_are_compared_by_their_numbers():
    nodes = torch.arange(12)
    assert recent(nodes.view(2, 6), 12).num_edges == 6
    edges = recent(nodes.view(6, 2).T, 12).to_edges()[0]
    assert edges.tolist() == [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]


def test_the_graph_not_used_for_longest_is_dropped():
    graphs = [recent(ring(n), n) for n in range(3, 19)]  # 16 of them
    assert recent(ring(3), 3) is graphs[0]  # used again, now the latest
    recent(ring(30), 30)
    assert recent(ring(3), 3) is graphs[0]
    assert recent(ring(4), 4) is not graphs[1]


def test_at_most_sixteen_graphs_are_kept():
    for n in range(3, 43):
        recent(ring(n), n)
    assert len(module._kept) == 16


def test_graphs_that_fill_the_memory_limit_are_dropped(monkeypatch):
    graphs = [recent(ring(n), n) for n in (100, 101, 102)]
    for graph in graphs:
        graph.prepare(hops=3)  # 4 + 3 * (8 + 4 * 3) bytes a node and more
    monkeypatch.setattr(module, "memory_limit", lambda: 20_000)
    latest = recent(ring(103), 103)
    assert recent(ring(103), 103) is latest
    assert recent(ring(102), 102) is graphs[2]
    assert recent(ring(100), 100) is not graphs[0]


def test_the_latest_graph_is_kept_however_large(monkeypatch):
    monkeypatch.setattr(module, "memory_limit", lambda: 1)
    graph = recent(ring(50), 50)
    assert recent(ring(50), 50) is graph


def test_what_a_graph_keeps_is_found_with_it():
    balls = recent(torch.tensor(PATH), 3).neighborhoods(2)
    assert recent(torch.tensor(PATH), 3).neighborhoods(2) is balls


def test_threads_get_the_graphs_of_their_own_edges():
    sizes = [3 + k % 25 for k in range(200)]
    with ThreadPoolExecutor(8) as pool:
        graphs = list(pool.map(lambda n: recent(ring(n), n), sizes))
    assert [graph.num_nodes for graph in graphs] == sizes
    assert all(g == vc.Graph.from_edges(ring(g.num_nodes)) for g in graphs)


def test_a_graph_made_in_inference_mode_serves_training():
    with torch.inference_mode():
        graph = recent(torch.tensor(PATH), 3)
    assert not graph.indices.is_inference()


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        ([[0, 1]], TypeError, "`edge_index` must be a dense tensor, got list"),
        (torch.eye(2).to_sparse(), TypeError, "got torch.sparse_coo"),
        (torch.tensor([0, 1]), ValueError, r"shape \(2, edges\).*got \(2,\)"),
        (torch.zeros(4, 2).long(), ValueError, r"shape \(2, edges\).*got \(4, 2\)"),
        (torch.tensor([[], []]), TypeError, r"got torch.float32; convert.*long\(\)"),
        (torch.zeros(2, 1).bool(), TypeError, "int64 or int32, got torch.bool"),
        (torch.tensor([[0], [3]]), ValueError, r"nodes in 0\.\.2, got 3"),
        (torch.tensor([[-1], [0]]), ValueError, r"nodes in 0\.\.2, got -1"),
    ],
)
def test_bad_edges_are_refused(edges, error, words):
    with pytest.raises(error, match=words):
        recent(edges, 3)


@pytest.mark.parametrize(
    ("weight", "error", "words"),
    [
        ([1.0] * 4, TypeError, "`edge_weight` must be a tensor, got list"),
        (torch.ones(3), ValueError, r"shape \(4,\), one value per edge, got \(3,\)"),
        (torch.ones(4, 1), ValueError, r"shape \(4,\).*got \(4, 1\)"),
        (torch.tensor([1, 1, 1, torch.nan]), ValueError, "be finite, got nan"),
        (torch.tensor([1, 1, 1, -torch.inf]), ValueError, "be finite, got -inf"),
        (torch.ones(4, requires_grad=True), ValueError, r"gradient.*detach\(\)"),
    ],
)
def test_bad_weights_are_refused(weight, error, words):
    with pytest.raises(error, match=words):
        recent(torch.tensor(PATH), 3, weight)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # torch's own
def test_a_forward_mode_tangent_of_weights_is_refused():
    ones = torch.ones(4)
    with pytest.raises(ValueError, match="must not require a gradient"):
        torch.func.jvp(
            lambda w: recent(torch.tensor(PATH), 3, w).weight, (ones,), (ones,)
        )


def test_refused_edges_are_not_kept():
    with pytest.raises(ValueError, match="nodes in"):
        recent(torch.tensor([[0], [3]]), 3)
    assert module._kept == []
