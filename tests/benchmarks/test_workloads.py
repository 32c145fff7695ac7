"""The benchmark's graphs are what they claim, and its rivals compute the same thing."""

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import vicinal as vc

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import draws, targets, timing
from benchmarks.rivals import RIVALS
from benchmarks.setting import Setting
from benchmarks.workloads import FITTED, SIGNALS, Workload, available, make

SMALL = [name for name in available() if name not in ("W6", "W7")]
NODES = {
    "W1": 100, "W2": 100, "W3": 211, "W4": 2708, "W5": 943, "cora": 2708,
    "lesmis": 77, "karate": 34, "grid": 4096, "star": 1001, "path": 10_000,
}  # fmt: skip
EDGES = {  # directed ones, where the number is fixed
    "W4": 2 * 5400, "W5": 943 * 40, "cora": 2 * 5278, "lesmis": 2 * 254,
    "karate": 2 * 78, "grid": 4 * 64 * 63, "star": 2 * 1000, "path": 2 * 9999,
}  # fmt: skip
LINEAR = ["spmm", "spmm, batch first"]
MAXIMA = [name for name in RIVALS if name.startswith("max")]
MEDIANS = [name for name in RIVALS if name.startswith("median")]


def is_symmetric(graph):
    matrix = graph.to_scipy()
    return (matrix != matrix.T).nnz == 0


# --- graphs ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_a_workload_has_the_size_it_claims(name):
    workload = make(name)
    assert workload.name == name
    assert workload.graph.num_nodes == NODES[name]
    assert workload.graph.num_edges == EDGES.get(name, workload.graph.num_edges)
    assert workload.graph.to_scipy().diagonal().sum() == 0
    assert workload.draw().shape == (workload.batch, NODES[name], workload.features)


@pytest.mark.parametrize("name", ["W1", "W2", "W3", "W4", "W5"])
def test_a_workload_is_the_same_every_time(name):
    assert make(name).graph == make(name).graph
    assert make(name).draw().equal(make(name).draw())


@pytest.mark.parametrize("name", ["W1", "W2", "W4"])
def test_undirected_workloads_are_symmetric(name):
    assert is_symmetric(make(name).graph)


@pytest.mark.parametrize("name", ["W3", "W5"])
def test_directed_workloads_are_not(name):
    assert not is_symmetric(make(name).graph)


def test_degrees_are_those_of_the_definitions():
    assert make("W1").graph.indptr.diff().double().mean() == pytest.approx(
        39.6, rel=0.1
    )
    assert make("W3").graph.indptr.diff().double().mean() == pytest.approx(78, rel=0.02)
    assert make("W5").graph.indptr.diff().unique().tolist() == [40]


def test_rows_of_w5_are_the_nearest_points():
    points = draws.stretched_points(943, 6, 0.5, seed=5)
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    nearest = np.sort(distances.argsort(axis=1)[:, 1:41], axis=1)
    assert make("W5").graph.indices.view(943, 40).numpy().tolist() == nearest.tolist()


def test_an_unknown_workload_is_refused():
    with pytest.raises(ValueError, match=r"`name` must be one of .* got 'W8'"):
        make("W8")


def test_at_least_four_workloads_were_not_fitted_on():
    assert len(set(available()) - set(FITTED)) >= 4
    assert all(set(FITTED).issuperset(limits) for limits in targets.RATIO.values())


# --- Chung-Lu -------------------------------------------------------------------------


@pytest.mark.parametrize("largest", [50, 1e9])
def test_expected_degrees_have_the_sum_and_the_cap(largest):
    weights = (1 - np.random.default_rng(0).random(2000)) ** (-1 / 1.3)
    degrees = draws.expected_degrees(weights, 12_000, largest)
    assert degrees.sum() == pytest.approx(12_000)
    assert degrees.max() <= largest
    free = degrees < largest
    assert np.ptp(degrees[free] / weights[free]) == pytest.approx(0, abs=1e-9)


def test_chung_lu_draws_exactly_the_edges_asked_for():
    graph = draws.chung_lu(300, 2000, 2.3, 60, seed=0)
    assert graph.num_edges == 4000
    assert is_symmetric(graph)
    assert graph.to_scipy().max() == 1
    assert graph == vc.Graph.from_edges(graph.to_edges()[0], 300)


def test_chung_lu_follows_the_expected_degrees():
    weights = (1 - np.random.default_rng(3).random(5000)) ** (-1 / 1.6)
    expected = draws.expected_degrees(weights, 40_000, 200)
    found = draws.chung_lu(5000, 20_000, 2.6, 200, seed=3).indptr.diff().numpy()
    heavy = np.argsort(expected)[-500:]
    assert found[heavy].sum() == pytest.approx(expected[heavy].sum(), rel=0.05)
    assert found.max() < 200 + 5 * 200**0.5


def test_another_seed_gives_another_graph():
    assert draws.chung_lu(50, 100, 2.5, 20, 0) != draws.chung_lu(50, 100, 2.5, 20, 1)


def test_keys_become_rows_of_in_neighbors():
    graph = draws.from_keys(np.array([2 * 3 + 1, 0 * 3 + 2, 2 * 3 + 0]), 3)
    assert graph == vc.Graph.from_edges([(2, 0), (0, 2), (1, 2)], 3)


def test_random_in_neighbors_have_at_most_the_degree():
    widths = draws.random_in_neighbors(500, 8, seed=0).indptr.diff()
    assert widths.max() <= 8
    assert widths.double().mean() > 7.8


# --- signals --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SIGNALS)
def test_signals_are_finite_and_vary(kind):
    x = Workload("test", make("karate").graph, 2, 3, kind).draw()
    assert x.isfinite().all()
    assert x.var() > 0


def test_smooth_signals_vary_less_along_edges():
    graph = make("grid").graph
    (source, target), _ = graph.to_edges()

    def roughness(kind):
        x = Workload("test", graph, 1, 8, kind).draw()
        return (x[:, source] - x[:, target]).var() / x.var()

    assert roughness("smooth") < 0.2 * roughness("normal")


@pytest.mark.parametrize("kind", ["relu", "rounded"])
def test_tied_signals_tie(kind):
    x = Workload("test", make("W2").graph, 1, 8, kind).draw()
    assert len(x.unique()) < 0.6 * x.numel()


# --- rivals ---------------------------------------------------------------------------


def run(name, setting):
    """Output and the gradients of signals and weights."""
    rival = RIVALS[name]
    x = rival.lay_out(setting.workload.draw()).requires_grad_()
    z = rival.prepare(setting)(x)
    upstream = torch.linspace(-1, 1, z.numel()).view(z.shape)
    return z, *torch.autograd.grad(z, [x, setting.weight], upstream)


@pytest.fixture(params=[1, 2, 3])
def setting(request):
    graph = vc.graphs.nearest_neighbors(40, 3, seed=0)
    return Setting(Workload("small", graph, 3, 2), request.param)


@pytest.mark.parametrize("name", [n for n in MAXIMA if n != "max: vicinal"])
def test_all_maxima_agree(name, setting):
    torch.testing.assert_close(run(name, setting), run("max: vicinal", setting))


def test_lower_medians_agree(setting):
    x = setting.workload.draw().requires_grad_()
    local = vc.functional.local_median(
        x, setting.workload.graph, setting.hops, convention="lower"
    )
    expected = setting.combine(x, local.unbind(1))
    for name in MEDIANS:
        if name != "median: vicinal":
            torch.testing.assert_close(run(name, setting)[0], expected)


def test_the_median_of_an_odd_ring_is_that_of_the_loop():
    """Three nodes in every neighbourhood: upper and lower median are one."""
    ring = vc.Graph.from_edges([(i, (i + s) % 9) for i in range(9) for s in (1, 8)])
    setting = Setting(Workload("ring", ring, 2, 3), 2)
    ours = run("median: vicinal", setting)
    for name in MEDIANS:
        torch.testing.assert_close(run(name, setting), ours)


@pytest.mark.parametrize("name", LINEAR)
def test_sparse_products_are_weighted_means_of_sums(name, setting):
    graph = setting.workload.graph
    sizes = setting.balls.indptr.diff().view(setting.hops, -1, 1)

    def by_means(x):
        sums = vc.functional.local_mean(x, graph, setting.hops) * sizes
        return setting.combine(x, sums.unbind(1))

    x = setting.workload.draw().requires_grad_()
    z = by_means(x)
    upstream = torch.linspace(-1, 1, z.numel()).view(z.shape)
    expected = (z, *torch.autograd.grad(z, [x, setting.weight], upstream))
    torch.testing.assert_close(run(name, setting), expected, rtol=1e-4, atol=1e-4)


def test_the_iterated_product_is_a_power():
    graph = vc.graphs.nearest_neighbors(20, 3, seed=0)
    setting = Setting(Workload("small", graph, 1, 2), 2)
    shift = torch.eye(20) + graph.to_dense()
    x = setting.workload.draw()
    expected = setting.combine(x, [shift @ x, shift @ shift @ x])
    torch.testing.assert_close(run("spmm, iterated", setting)[0], expected)


def test_what_would_not_fit_is_left_out():
    setting = Setting(make("karate"), 1)
    assert all(rival.estimate(setting) < 1 for rival in RIVALS.values())
    large = Workload("large", make("W1").graph, 10_000, 32)
    assert RIVALS["median: PyG"].estimate(Setting(large, 1)) == float("inf")
    assert RIVALS["median: vicinal"].estimate(Setting(large, 1)) == 0


# --- timing and targets ---------------------------------------------------------------


def test_every_call_is_timed_and_a_slow_one_once():
    calls = {"a": lambda: None, "b": lambda: sum(range(20_000))}
    patience = timing.Patience(seconds=0.001, rounds=4, fewest=3, sample=0)
    found = timing.interleaved(calls, patience)
    assert found["b"].cpu > found["a"].cpu
    assert found["a"].rounds >= 3
    once = timing.Patience(rounds=4, fewest=3, once=0.0)
    assert timing.interleaved(calls, once)["b"].rounds == 1


def test_the_number_of_threads_is_put_back():
    before = torch.get_num_threads()
    with timing.threads(1):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(("ratio", "met"), [(0.49, True), (0.51, False)])
def test_a_target_is_met_or_missed(ratio, met):
    row = {"workload": "W1", "hops": 1, "operator": "max: vicinal", "ratio f+b": ratio}
    (target,) = targets.activation(row)
    assert target.met is met
    assert targets.activation(row | {"operator": "spmm"}) == []
