"""Neighbourhoods found by native code against the SciPy twin and plain sets."""

import brute
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import cases

from vicinal import kernels
from vicinal.kernels import hops as twin
from vicinal.kernels import native

pytestmark = pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)


def ignore(entries):
    pass


@pytest.fixture
def scipy_balls(monkeypatch):
    """The same function on boolean SciPy matrices."""

    def balls(*given):
        with monkeypatch.context() as patch:
            patch.setattr(twin, "uses_native", lambda _: False)
            return twin.balls(*given)

    return balls


@pytest.fixture
def scipy_sizes(monkeypatch):
    def sizes(*given):
        with monkeypatch.context() as patch:
            patch.setattr(twin, "uses_native", lambda _: False)
            return twin.ball_sizes(*given)

    return sizes


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


CENTER = torch.arange(64) == 0
GRAPHS = {
    "one node": cases.digraph(1),
    "one node with a self loop": cases.rows_of(torch.ones(1, 1).bool()),
    "isolated nodes": cases.rows_of(torch.zeros(70, 70).bool()),
    "complete": cases.rows_of(torch.ones(65, 65).bool()),
    "path": cases.rows_of(torch.ones(130, 130).bool().tril(-1).triu(-1)),
    "star inwards": cases.rows_of(CENTER[:, None].expand(64, 64)),
    "star outwards": cases.rows_of(CENTER[None, :].expand(64, 64)),
    "hubs": cases.digraph(300, 2.0),
    "sparse": cases.digraph(1500, 1.0),
    "beyond one block of bits": cases.digraph(4100, 0.5),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("hops", [0, 1, 2, 4])
def test_balls_are_those_of_boolean_matrices(scipy_balls, name, exact, hops):
    found = native.balls(*GRAPHS[name], hops, exact, ignore)
    expected = scipy_balls(*GRAPHS[name], hops, exact, ignore)
    cases.same_bits(found[0], expected[0])
    cases.same_bits(found[1], expected[1])


@pytest.mark.parametrize("exact", [False, True])
@settings(deadline=None, max_examples=80, derandomize=True)
@given(graph=brute.digraphs(most=8), hops=st.integers(0, 4))
def test_balls_are_those_of_sets(exact, graph, hops):
    num_nodes, edges = graph
    rows = [{s for s, t in edges if t == i} for i in range(num_nodes)]
    sets = brute.spheres if exact else brute.balls
    stacked = [row for hop in sets(edges, num_nodes, hops) for row in hop]
    found = native.balls(*brute.csr(rows), hops, exact, ignore)
    expected = brute.csr(stacked)
    cases.same_bits(found[0], expected[0])
    cases.same_bits(found[1], expected[1])


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", GRAPHS)
def test_rows_are_sorted(name, exact):
    indptr, indices = native.balls(*GRAPHS[name], 3, exact, ignore)
    for begin, end in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        row = indices[begin:end]
        assert bool((row.diff() > 0).all())


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("hops", [1, 3])
def test_sizes_are_those_of_the_twin(scipy_sizes, name, hops):
    centers = torch.arange(GRAPHS[name][0].numel() - 1, dtype=torch.int32)[::3].flip(0)
    found = kernels.ball_sizes(*GRAPHS[name], hops, centers)
    expected = scipy_sizes(*GRAPHS[name], hops, centers)
    cases.same_bits(found, expected)


def test_no_hops_have_no_sizes(scipy_sizes):
    centers = torch.arange(3, dtype=torch.int32)
    for sizes in (kernels.ball_sizes, scipy_sizes):
        assert sizes(*GRAPHS["hubs"], 0, centers).shape == (0, 3)


def test_sizes_of_no_centers_at_all():
    nobody = torch.zeros(0, dtype=torch.int32)
    assert kernels.ball_sizes(*GRAPHS["hubs"], 2, nobody).shape == (2, 0)


@pytest.mark.parametrize("center", [-1, 300, 2**31 - 1])
def test_a_center_outside_the_graph_is_refused(center):
    centers = torch.tensor([0, center], dtype=torch.int32)
    with pytest.raises(ValueError, match=f"`centers` must be node ids, got {center}"):
        native.ball_sizes(*GRAPHS["hubs"], 2, False, centers)


@pytest.mark.parametrize("exact", [False, True])
def test_the_check_is_told_the_entries_before_they_are_stored(exact, monkeypatch):
    told, stored = [], []
    empty = torch.empty

    def watched(*size, **options):
        stored.append((size, len(told)))
        return empty(*size, **options)

    monkeypatch.setattr(torch, "empty", watched)
    _, indices = native.balls(*GRAPHS["hubs"], 2, exact, told.append)
    assert told == [indices.numel()]
    assert (tuple(indices.shape), 1) in stored


def test_a_check_that_raises_stops_the_search_before_storing():
    def refuse(entries):
        raise MemoryError(f"{entries} are too many")

    with pytest.raises(MemoryError, match="4225 are too many"):
        native.balls(*GRAPHS["complete"], 1, True, refuse)


@pytest.mark.parametrize("exact", [False, True])
def test_any_number_of_threads_finds_the_same(threads, exact):
    results = []
    for count in (1, 2, 3):
        threads(count)
        results.append(native.balls(*GRAPHS["sparse"], 3, exact, ignore))
    for found in results[1:]:
        cases.same_bits(found[0], results[0][0])
        cases.same_bits(found[1], results[0][1])
