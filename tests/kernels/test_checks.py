"""Hostile tensors at the raw operators: each gets a sentence, none gets a crash."""

import pytest
import torch

from vicinal.kernels import operators

MAX = [1, 0, 1]


def ints(*numbers, dtype=torch.int64):
    return torch.tensor(numbers, dtype=dtype)


def call(name, indptr, indices, x=None):
    """Run one operator on a CSR structure over three nodes (one row per node)."""
    x = torch.randn(2, 3, 2) if x is None else x
    rows = max(indptr.numel() - 1, 0)
    values = torch.zeros(2, rows, 2)
    one = torch.ones(indices.numel())
    calls = {
        "select": lambda: operators.select(x, indptr, indices, MAX, False),
        "select_shared": lambda: operators.select_shared(
            x, indptr, indices, MAX, False
        ),
        "maxima": lambda: operators.maxima(x, indptr, indices, 2, False),
        "tie_spread": lambda: operators.tie_spread(values, x, values, indptr, indices),
        "tie_mean": lambda: operators.tie_mean(x, x, values, indptr, indices),
        "product": lambda: operators.product(
            x[0] if x.dim() == 3 else x, indptr, indices, one, indptr, indices, one
        ),
        "powers": lambda: operators.powers(
            x, indptr, indices, one, indptr, indices, one, 2
        ),
        "horner": lambda: operators.horner(
            x.unsqueeze(-2), indptr, indices, one, indptr, indices, one
        ),
    }
    return calls[name]()


NAMES = ["select", "select_shared", "maxima", "tie_spread", "tie_mean", "product"]
NAMES += ["powers", "horner"]
HOSTILE = {
    "no row pointer at all": (ints(), ints(), "start at 0 and end .* got nothing"),
    "does not start at 0": (ints(1, 1, 2, 3), ints(0, 1, 2), r"\(3\), got 1 and 3"),
    "starts below 0": (ints(-1, 1, 2, 3), ints(0, 1, 2), r"\(3\), got -1 and 3"),
    "ends too early": (ints(0, 1, 2, 2), ints(0, 1, 2), r"\(3\), got 0 and 2"),
    "ends too late": (ints(0, 1, 2, 4), ints(0, 1, 2), r"\(3\), got 0 and 4"),
    "ends far too late": (ints(0, 1, 2, 2**62), ints(0, 1, 2), r"got 0 and 4611"),
    "decreases": (ints(0, 3, 1, 3), ints(0, 1, 2), "never decrease"),
    "dips below zero inside": (ints(0, -5, 2, 3), ints(0, 1, 2), "never decrease"),
    "overshoots inside": (ints(0, 2**40, 2, 3), ints(0, 1, 2), "never decrease"),
    "negative id": (ints(0, 1, 2, 3), ints(0, -1, 2), r"ids in 0\.\.2, got -1"),
    "id beyond the nodes": (ints(0, 1, 2, 3), ints(0, 3, 2), r"0\.\.2, got 3"),
    "enormous id": (ints(0, 1, 2, 3), ints(0, 2**40, 2), r"0\.\.2, got 1099511627776"),
    "unsorted row": (ints(0, 2, 2, 3), ints(1, 0, 2), "increase within every row"),
    "repeated id": (ints(0, 2, 2, 3), ints(1, 1, 2), "increase within every row"),
    "float row pointer": (torch.zeros(4), ints(), "vector of int32 or int64.*float32"),
    "float ids": (ints(0, 1, 2, 3), torch.zeros(3), "vector of int32 or int64.*float"),
    "boolean ids": (ints(0, 1, 1, 1), torch.ones(1).bool(), "int32 or int64.*bool"),
    "short ids": (ints(0, 1, 1, 1), ints(0).short(), "int32 or int64, got torch.int16"),
    "matrix of ids": (ints(0, 1, 2, 3), ints(0, 1, 2).view(3, 1), r"shape \(3, 1\)"),
    "matrix of row pointers": (ints(0, 0).view(2, 1), ints(), r"shape \(2, 1\)"),
    "scalar row pointer": (torch.tensor(0), ints(), r"vector .* shape \(\)"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", HOSTILE)
def test_a_broken_structure_is_refused(name, fault):
    indptr, indices, message = HOSTILE[fault]
    with pytest.raises(ValueError, match=message):
        call(name, indptr, indices)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_a_sound_structure_is_taken(name, dtype):
    call(name, ints(0, 2, 2, 3, dtype=dtype), ints(0, 2, 1, dtype=dtype))


@pytest.mark.parametrize("name", NAMES)
def test_a_structure_without_any_entry_is_taken(name):
    call(name, ints(0, 0, 0, 0), ints())


@pytest.mark.parametrize("name", NAMES)
def test_a_new_row_may_start_at_a_lower_id(name):
    call(name, ints(0, 2, 2, 4), ints(1, 2, 0, 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", ["indptr", "indices"])
def test_a_structure_on_another_device_is_refused(name, which):
    structure = {"indptr": ints(0, 1, 2, 3), "indices": ints(0, 1, 2)}
    structure[which] = structure[which].to("meta")
    message = rf"`{which}` must be on the device of `x` \(cpu\), got meta; move"
    with pytest.raises(ValueError, match=message):
        call(name, **structure)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_a_signal_that_is_not_floating_point_is_refused(name, dtype):
    x = torch.ones(2, 3, 2).to(dtype)
    with pytest.raises(ValueError, match=f"`x` must be a floating point .* {dtype}"):
        call(name, ints(0, 1, 2, 3), ints(0, 1, 2), x)


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_of_the_wrong_dimensions_is_refused(name):
    with pytest.raises(ValueError, match=r"`x` must .* dimensions, got .*\(.*3,?\)"):
        call(name, ints(0, 1, 2, 3), ints(0, 1, 2), torch.ones(3))


def test_iterated_maximum_needs_one_row_per_node():
    with pytest.raises(ValueError, match=r"one row per node \(3\), got 1"):
        call("maxima", ints(0, 1), ints(0))


@pytest.mark.parametrize("name", ["powers", "horner"])
def test_powers_need_a_square_matrix(name):
    with pytest.raises(ValueError, match=r"one row per node \(3\), got 1"):
        call(name, ints(0, 1), ints(0))


def test_a_filter_needs_a_tap():
    csr = (ints(0, 1, 2, 3), ints(0, 1, 2), torch.ones(3))
    with pytest.raises(ValueError, match="`taps` must be at least 1, got 0"):
        operators.powers(torch.ones(2, 3, 1), *csr, *csr, 0)
    with pytest.raises(ValueError, match="`terms` must hold at least one tap"):
        operators.horner(torch.ones(2, 3, 0, 1), *csr, *csr)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_a_product_needs_one_weight_per_id(count):
    rows, x = (ints(0, 1, 2, 3), ints(0, 1, 2)), torch.ones(3, 1)
    with pytest.raises(ValueError, match=r"`weight` must have one value per index"):
        operators.product(x, *rows, torch.ones(count), *rows, torch.ones(3))


def test_a_product_needs_its_weights_on_the_device_of_the_signal():
    rows, one = (ints(0, 1, 2, 3), ints(0, 1, 2)), torch.ones(3)
    with pytest.raises(ValueError, match="`weight` must be on the device of `x`"):
        operators.product(torch.ones(3, 1), *rows, one.to("meta"), *rows, one)


@pytest.mark.parametrize("rank", [[1, 0, 0], [1, 0, -1], [5, 0, 1], [-1, 0, 1], [1, 0]])
@pytest.mark.parametrize("skip_nan", [False, True])
def test_a_rank_that_names_no_value_is_refused(rank, skip_nan):
    with pytest.raises(ValueError, match="`rank` must"):
        operators.select(torch.ones(1, 3, 1), ints(0, 2), ints(0, 1), rank, skip_nan)


def test_a_negative_number_of_hops_is_refused():
    with pytest.raises(ValueError, match="`hops` must be at least 0, got -1"):
        operators.maxima(torch.ones(1, 1, 1), ints(0, 1), ints(0), -1, False)


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (2, 5, 2), (2, 2, 2)])
def test_shares_of_ties_need_fitting_shapes(shape):
    x, rows = torch.ones(2, 3, 2), (ints(0, 1, 2, 3), ints(0, 1, 2))
    right, wrong = torch.ones(2, 3, 2), torch.ones(shape)
    with pytest.raises(ValueError, match="`values` must have shape"):
        operators.tie_spread(right, x, wrong, *rows)
    with pytest.raises(ValueError, match="`grad` must have shape"):
        operators.tie_spread(wrong, x, right, *rows)
    with pytest.raises(ValueError, match="`values` must have shape"):
        operators.tie_mean(right, x, wrong, *rows)
    with pytest.raises(ValueError, match="`t` must have shape"):
        operators.tie_mean(wrong, x, right, *rows)


def test_selected_nodes_without_data_beside_a_real_signal_are_refused():
    x, weight = torch.ones(1, 3, 2), torch.ones(2)
    nodes = torch.zeros(1, 3, 2, dtype=torch.int32, device="meta")
    for call in (
        lambda: operators.gather(x, nodes),
        lambda: operators.scatter(x, nodes, 3),
        lambda: operators.combine_backward(x, x, weight, nodes),
    ):
        with pytest.raises(ValueError, match="`nodes` must be on the device of `x`"):
            call()
