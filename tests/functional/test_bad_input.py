"""Functions refuse what they cannot mean: name, rule, value, remedy."""

import math

import pytest
import torch

import vicinal as vc
from vicinal.functional import (
    graph_filter,
    local_activation,
    local_max,
    local_mean,
    local_median,
    local_rank,
    local_select,
    multiresolution,
    shift_powers,
    tap_sum,
)

LOCAL = {
    "median": local_median,
    "max": local_max,
    "rank": lambda x, graph, hops=1, **kw: local_rank(x, graph, 0.25, hops, **kw),
    "mean": local_mean,
}
RANKED = ["median", "max", "rank"]


@pytest.fixture
def x():
    return torch.randn(2, 3, 4)


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("shape", [(3,), (), (4, 3), (2, 4, 3), (1, 2)])
def test_a_signal_must_have_a_row_per_node(name, shape, chain):
    with pytest.raises(ValueError, match=r"`x` must have shape \(\.\.\., 3, features"):
        LOCAL[name](torch.zeros(shape), chain)


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_a_signal_must_be_floating_point(name, dtype, x, chain):
    message = rf"`x` must be floating point, got {dtype}; convert .* `x.float\(\)`"
    with pytest.raises(TypeError, match=message):
        LOCAL[name](x.to(dtype), chain)


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("signal", [[[1.0], [2.0], [3.0]], "x", None, 3.0])
def test_a_signal_must_be_a_tensor(name, signal, chain):
    with pytest.raises(TypeError, match="`x` must be a tensor, got"):
        LOCAL[name](signal, chain)


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("graph", [torch.eye(3), None, "chain", [(0, 1)]])
def test_a_graph_must_be_a_graph(name, graph, x):
    with pytest.raises(TypeError, match=r"`graph` must be a vicinal.Graph, got"):
        LOCAL[name](x, graph)


@pytest.mark.parametrize("name", LOCAL)
def test_graph_and_signal_must_share_a_device(name, x, chain):
    with pytest.raises(ValueError, match=r"\(meta\), got cpu; move .* `graph.to"):
        LOCAL[name](x.to("meta"), chain)
    with pytest.raises(ValueError, match=r"\(cpu\), got meta; move .* `graph.to"):
        LOCAL[name](x, chain.to("meta"))


@pytest.mark.parametrize("name", LOCAL)
def test_hops_must_not_be_negative(name, x, chain):
    with pytest.raises(ValueError, match="`hops` must be at least 0, got -1"):
        LOCAL[name](x, chain, -1)


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("hops", ["2", 1.0, None, True])
def test_hops_must_be_an_integer(name, hops, x, chain):
    with pytest.raises(TypeError, match="`hops` must be an integer, got"):
        LOCAL[name](x, chain, hops)


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("nan", ["drop", None, True])
def test_an_unknown_nan_policy_is_refused(name, nan, x, chain):
    with pytest.raises(ValueError, match=r"`nan` must be one of \['propagate', 'ig"):
        LOCAL[name](x, chain, nan=nan)


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("ties", ["last", None, 1])
def test_an_unknown_tie_policy_is_refused(name, ties, x, chain):
    with pytest.raises(ValueError, match="`ties` must be 'first' or 'share', got"):
        LOCAL[name](x, chain, ties=ties)


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("empty", ["zero", None, [0.0]])
def test_an_unknown_empty_policy_is_refused(name, empty, x, chain):
    message = "`empty` must be 'raise', 'self' or a number, got"
    with pytest.raises((ValueError, TypeError), match=message):
        LOCAL[name](x, chain, empty=empty)


def test_an_unknown_median_is_refused(x, chain):
    with pytest.raises(ValueError, match="`convention` must be 'upper' or 'lower'"):
        local_median(x, chain, convention="middle")


@pytest.mark.parametrize("q", [-0.1, 1.5, math.nan])
def test_a_rank_must_lie_in_the_unit_interval(q, x, chain):
    with pytest.raises(ValueError, match=r"`q` must be in the range \[0, 1\], got"):
        local_rank(x, chain, q)


@pytest.mark.parametrize("name", RANKED)
def test_nan_is_refused_on_request(name, x, chain):
    x[0, 1, 2] = math.nan
    with pytest.raises(ValueError, match="`x` must not hold NaN, got some"):
        LOCAL[name](x, chain, nan="raise")


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("ties", ["first", "share"])
def test_empty_neighbourhoods_are_refused_by_default(name, ties, x, chain):
    message = "`graph` must have no empty neighbourhood, got one; pass empty='self'"
    with pytest.raises(ValueError, match=message):
        LOCAL[name](x, chain.neighborhoods(1, exact=True), ties=ties)
    x[0, 0, 0] = math.nan  # node 0 hears only itself
    with pytest.raises(ValueError, match=message):
        LOCAL[name](x, chain, nan="ignore", ties=ties)


@pytest.mark.parametrize("shape", [(3,), (1,), (2, 3), (4, 2), ()])
def test_hop_weights_must_fit_hops_and_features(shape, x):
    message = r"`weight` must have shape \(2,\) or \(2, 4\), got"
    with pytest.raises(ValueError, match=message):
        multiresolution(x, x.unsqueeze(1), torch.zeros(shape))


@pytest.mark.parametrize("shape", [(2, 1, 5, 4), (2, 1, 3, 1), (1, 3, 4), (3, 4)])
def test_local_terms_must_fit_the_signal(shape, x):
    with pytest.raises(ValueError, match="`stacked` must have shape"):
        multiresolution(x, torch.zeros(shape), torch.ones(2))


@pytest.mark.parametrize("shape", [(2, 3), (0, 4, 1), (4,), (1, 2, 4, 1)])
def test_filter_coefficients_must_fit_the_signal(shape, x, chain):
    with pytest.raises(ValueError, match="`weight` must have shape"):
        graph_filter(x, chain.shift(scaled=False), torch.ones(shape))


def test_a_filter_form_must_be_known(x, chain):
    with pytest.raises(
        ValueError, match=r"`form` must be one of \['auto', 'powers', 'horner'\]"
    ):
        graph_filter(x, chain.shift(scaled=False), torch.ones(2, 4, 1), form="dense")


@pytest.mark.parametrize("shape", [(5, 4), (3, 5), (4,)])
def test_a_filtered_signal_must_have_a_row_per_node(shape, chain):
    with pytest.raises(ValueError, match=r"`x` must have shape \(\.\.\., 3, 4\)"):
        graph_filter(torch.ones(shape), chain.shift(scaled=False), torch.ones(2, 4, 1))


def test_a_filtered_signal_must_be_floating_point(x, chain):
    with pytest.raises(TypeError, match=r"`x` must be floating point, got torch\.int"):
        graph_filter(x.long(), chain.shift(scaled=False), torch.ones(2, 4, 1))


def test_a_filter_needs_a_shift_not_a_graph(x, chain):
    with pytest.raises(TypeError, match=r"`shift` must be .*, got Graph"):
        graph_filter(x, chain, torch.ones(2, 4, 1))


@pytest.mark.parametrize("taps", [0, -1])
def test_powers_need_at_least_one_tap(taps, x, chain):
    with pytest.raises(ValueError, match=f"`taps` must be at least 1, got {taps}"):
        shift_powers(x, chain.shift(scaled=False), taps)


def test_a_graph_without_edges_cannot_be_scaled():
    edgeless = vc.Graph.from_edges([], num_nodes=3)
    with pytest.raises(ValueError, match="got radius 0; pass `scaled=False`"):
        edgeless.shift()
    assert local_median(torch.ones(3, 1), edgeless).flatten().tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", LOCAL)
def test_a_sparse_signal_is_refused(name, x, chain):
    words = r"`x` must be dense, got torch.sparse.*; convert it with `x.to_dense\(\)`"
    for sparse in (x.to_sparse(), x[0].to_sparse_csr()):
        with pytest.raises(TypeError, match=words):
            LOCAL[name](sparse, chain)


@pytest.mark.parametrize("weight", [[1.0, 2.0], "1", None])
def test_hop_weights_must_be_a_tensor(weight, x, chain):
    for call in (
        lambda: multiresolution(x, local_median(x, chain), weight),
        lambda: local_activation(x, chain, weight),
        lambda: graph_filter(x, chain.shift(scaled=False), weight),
    ):
        with pytest.raises(TypeError, match="`weight` must be a tensor, got"):
            call()


@pytest.mark.parametrize("shape", [(), (0,), (2, 5), (2, 1), (2, 2, 2)])
def test_weights_of_an_activation_must_fit_the_features(shape, x, chain):
    with pytest.raises(ValueError, match=r"`weight` must have shape \(hops \+ 1,\) or"):
        local_activation(x, chain, torch.ones(shape))


def test_weights_must_be_where_the_signal_is(x, chain):
    weight, shift = torch.ones(2, device="meta"), chain.shift(scaled=False)
    bank = torch.ones(2, x.size(-1), 3)
    words = r"`(weight|bias|shift)` must be on the device of `x` \(cpu\), got meta"
    for call in (
        lambda: local_activation(x, chain, weight),
        lambda: multiresolution(x, local_median(x, chain), weight),
        lambda: graph_filter(x, shift, bank.to("meta")),
        lambda: graph_filter(x, shift.to("meta"), bank),
        lambda: graph_filter(x, shift, bank, torch.ones(3, device="meta")),
    ):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("rule", ["max", 0.5, (1, 0, 1), None])
def test_a_rule_must_be_a_rank(rule, x, chain):
    for call in (
        lambda: local_select(x, chain, rule),
        lambda: local_activation(x, chain, torch.ones(2), rule),
    ):
        with pytest.raises(TypeError, match="`rule` must be a Rank, got"):
            call()


@pytest.mark.parametrize("shape", [(2,), (1,), (3, 1), ()])
def test_a_bias_must_have_one_number_per_output(shape, x, chain):
    bank = torch.ones(2, x.size(-1), 3)
    with pytest.raises(ValueError, match=r"`bias` must have shape \(3,\), got"):
        graph_filter(x, chain.shift(scaled=False), bank, torch.ones(shape))


def test_powers_must_fit_the_coefficients():
    with pytest.raises(
        ValueError, match=r"`powers` must have shape \(3, ..., nodes, 1"
    ):
        tap_sum(torch.ones(2, 4, 1), torch.ones(3, 1, 2))
    with pytest.raises(ValueError, match=r"`weight` must have shape \(taps, 1, out_"):
        tap_sum(torch.ones(2, 4, 1), torch.ones(2, 2, 2))


def test_powers_of_sparse_signals_are_refused(x, chain):
    with pytest.raises(TypeError, match=r"`x` must be dense, got torch.sparse_coo"):
        shift_powers(x[0].to_sparse(), chain.shift(scaled=False), 2)


@pytest.mark.parametrize("empty", ["zero", None, True])
def test_means_refuse_an_unknown_empty_policy(empty, x, chain):
    with pytest.raises(ValueError, match="`empty` must be 'raise', 'self' or a number"):
        local_mean(x, chain, empty=empty)
