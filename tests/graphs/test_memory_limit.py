"""The memory limit: neighbourhoods that do not fit are refused in one sentence."""

import re
import subprocess
import sys
import tracemalloc

import networkx as nx
import pytest

import vicinal as vc

GIB = 2**30


@pytest.fixture(autouse=True)
def restored():
    before = vc.memory_limit()
    yield
    vc.set_memory_limit(before)


@pytest.fixture
def star():
    """A hub and 8000 leaves: two hops take 8001^2 ids of 4 bytes, 0.24 GiB."""
    return vc.Graph.from_networkx(nx.star_graph(8000))


def sizes(text):
    """Numbers of bytes that a message names."""
    units = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
    found = re.findall(r"([\d.]+) (bytes|KiB|MiB|GiB)", text)
    return [float(number) * units[unit] for number, unit in found]


def test_the_limit_is_four_gibibytes_unless_set():
    assert vc.memory_limit() == 4 * GIB


def test_the_limit_can_be_set():
    vc.set_memory_limit(10**9)
    assert vc.memory_limit() == 10**9
    vc.set_memory_limit(2.5 * GIB)
    assert vc.memory_limit() == int(2.5 * GIB)


def test_the_refusal_names_sizes_and_remedies_before_memory_is_taken(star):
    vc.set_memory_limit(GIB // 5)
    tracemalloc.start()
    try:
        with pytest.raises(MemoryError, match="`hops` must give neighbourhoods") as e:
            star.neighborhoods(2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    text = str(e.value)
    limit, size = sizes(text)
    assert limit == pytest.approx(GIB / 5, rel=0.02)
    assert size == pytest.approx(4 * 8001**2, rel=0.02)
    assert "use fewer hops, a sparser graph" in text
    assert "`vicinal.set_memory_limit(bytes)`" in text
    assert "\n" not in text
    assert peak < 20 * 2**20
    assert star.neighborhoods(1).hops == 1  # this fits


def test_a_refused_graph_works_once_the_limit_is_raised(digraph):
    vc.set_memory_limit(100)
    with pytest.raises(MemoryError):
        digraph.neighborhoods(2)
    vc.set_memory_limit(GIB)
    assert digraph.neighborhoods(2).hops == 2


CALLS = {
    "one hop": lambda graph: graph.neighborhoods(1),
    "balls": lambda graph: graph.neighborhoods(2),
    "exact": lambda graph: graph.neighborhoods(2, exact=True),
    "prepare": lambda graph: graph.prepare(2),
    "whole component": lambda graph: graph.whole_component(2),
    "functional": lambda graph: vc.functional.local_median(
        graph.to_dense(), graph, hops=2, ties="share"
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_way_to_neighborhoods_is_limited(call, digraph):
    vc.set_memory_limit(100)
    with pytest.raises(MemoryError, match="set_memory_limit"):
        CALLS[call](digraph)


def test_the_limit_admits_the_exact_size_and_nothing_more(digraph):
    needed = digraph.cost(3).neighborhood_bytes
    vc.set_memory_limit(needed - 16)
    with pytest.raises(MemoryError):
        digraph.neighborhoods(3)
    vc.set_memory_limit(needed)
    found = digraph.neighborhoods(3)
    assert found.indptr.nbytes + found.indices.nbytes == needed


def test_small_sizes_are_named_in_units_that_show_them(digraph):
    vc.set_memory_limit(100)
    with pytest.raises(MemoryError) as caught:
        digraph.neighborhoods(2)
    limit, size = sizes(str(caught.value))
    assert limit == pytest.approx(100, rel=0.05)
    assert size == pytest.approx(digraph.cost(2).neighborhood_bytes, rel=0.05)


@pytest.mark.parametrize(
    ("num_bytes", "error", "words"),
    [
        (0, ValueError, "must be positive, got 0"),
        (-1, ValueError, "must be positive, got -1"),
        (float("nan"), ValueError, "must be positive, got nan"),
        ("4 GiB", TypeError, "must be a number, got str"),
        (True, TypeError, "must be a number, got bool"),
        (None, TypeError, "must be a number, got NoneType"),
    ],
)
def test_the_limit_is_checked(num_bytes, error, words):
    with pytest.raises(error, match=f"`num_bytes` {words}"):
        vc.set_memory_limit(num_bytes)
    assert vc.memory_limit() == 4 * GIB


def test_an_infinite_limit_is_refused_or_can_be_read_back():
    try:
        vc.set_memory_limit(float("inf"))
    except ValueError as error:
        assert "`num_bytes` must" in str(error)  # noqa: PT017
    assert vc.memory_limit() >= 4 * GIB


ASK = """
import os
for limit in {limits}:
    os.environ["VICINAL_MEMORY_LIMIT"] = limit
    try:
        import vicinal
        print(vicinal.memory_limit())
    except Exception as error:
        print(error)
"""


def said_with(*limits):
    """What a new process says of its limit, or why it refuses one, line by line."""
    script = ASK.format(limits=limits)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True
    )
    return run.stdout.decode().splitlines()


def test_the_environment_sets_the_limit():
    assert said_with("1e9") == ["1000000000"]


def test_a_limit_from_the_environment_is_checked():
    plenty, negative = said_with("plenty", "-5")
    assert re.search("`VICINAL_MEMORY_LIMIT` must .*plenty", plenty)
    assert re.search("`VICINAL_MEMORY_LIMIT` must .*-5", negative)


@pytest.mark.parametrize("exact", [False, True])
def test_an_absurd_number_of_hops_is_refused_before_anything_is_measured(exact):
    ring = vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    with pytest.raises(MemoryError, match=r"`hops` must give .* got at least"):
        ring.neighborhoods(10**12, exact=exact)
