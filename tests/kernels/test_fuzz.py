"""Random hostile CSR inputs at the raw operators: an answer or a sentence, no crash."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal.kernels import operators

MEDIAN = [1, 1, 2]
LARGE = [2**31 - 1, 2**31, 2**32, 2**62, -(2**31), -(2**63)]
DTYPES = [torch.int32, torch.int64, torch.int16, torch.uint8, torch.bool, torch.float32]
entries = st.integers(-2, 7) | st.sampled_from(LARGE)


def tensor(numbers, dtype):
    """Integers as a tensor; those that do not fit wrap around."""
    return torch.tensor(numbers, dtype=torch.int64).to(dtype)


def weighted(indptr, indices):
    """A sparse matrix of ones."""
    return indptr, indices, torch.ones(indices.numel())


structures = st.tuples(
    st.lists(entries, max_size=7),
    st.lists(entries, max_size=9),
    st.sampled_from(DTYPES),
    st.sampled_from(DTYPES),
)
nearly_sound = st.lists(st.integers(0, 4), min_size=5, max_size=5).flatmap(
    lambda widths: st.tuples(
        st.just([0, *torch.tensor(widths).cumsum(0).tolist()]),
        st.lists(st.integers(0, 5), min_size=sum(widths), max_size=sum(widths)),
        st.sampled_from([torch.int32, torch.int64]),
        st.sampled_from([torch.int32, torch.int64]),
    )
)
CALLS = {
    "select": lambda x, w, *csr: operators.select(x, *csr, MEDIAN, False),
    "select_balls": lambda x, w, *csr: operators.select_balls(
        x, *csr, 2, MEDIAN, False
    ),
    "maxima": lambda x, w, *csr: operators.maxima(x, *csr, 2, False),
    "combine": lambda x, w, *csr: operators.combine(x, w, *csr, MEDIAN, False, True),
    "combine_balls": lambda x, w, *csr: operators.combine_balls(
        x, w, *csr, MEDIAN, False, True
    ),
    "combine_maxima": lambda x, w, *csr: operators.combine_maxima(
        x, w, *csr, False, True
    ),
    "product": lambda x, w, indptr, indices: operators.product(
        x[0], *weighted(indptr, indices), indptr, indices, w
    ),
    "powers": lambda x, w, *csr: operators.powers(x, *weighted(*csr), *csr, w, 3),
    "horner": lambda x, w, *csr: operators.horner(
        x.unflatten(2, (2, 4)), *weighted(*csr), *csr, w
    ),
}


def is_sound(indptr, indices, num_nodes):
    """Whether rows are what the operators promise to take."""
    if {indptr.dtype, indices.dtype} - {torch.int32, torch.int64}:
        return False
    starts, ids = indptr.tolist(), indices.tolist()
    if not starts or starts[0] != 0 or starts[-1] != len(ids):
        return False
    rows = [ids[a:b] for a, b in itertools.pairwise(starts) if a <= b]
    return (
        sorted(starts) == starts
        and all(0 <= i < num_nodes for i in ids)
        and all(sorted(set(row)) == row for row in rows)
    )


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=150, deadline=None)
@given(structure=structures | nearly_sound)
def test_any_structure_gets_an_answer_or_a_sentence(name, structure):
    starts, ids, pointer, index = structure
    indptr, indices = tensor(starts, pointer), tensor(ids, index)
    x, weight = torch.randn(2, 5, 8), torch.ones(2)
    refused = None
    try:
        CALLS[name](x, weight, indptr, indices)
    except ValueError as error:
        refused = str(error)
    if refused is None:
        assert is_sound(indptr, indices, 5)
    else:
        assert refused.startswith("`") and " must " in refused  # noqa: PT018


@pytest.mark.parametrize("name", ["select_balls", "maxima"])
@pytest.mark.parametrize("hops", [2**31, 2**40, 2**62])
def test_a_huge_number_of_hops_is_no_crash(name, hops):
    indptr, indices = torch.arange(6), torch.arange(5, dtype=torch.int32)
    x = torch.randn(2, 5, 8)
    rest = (MEDIAN, False) if name == "select_balls" else (False,)
    with pytest.raises((RuntimeError, ValueError), match=r"\w+ \w+"):
        getattr(operators, name)(x, indptr, indices, hops, *rest)


@pytest.mark.parametrize("nodes", [-2, 5, 2**31 - 1, -(2**31)])
def test_selected_nodes_outside_the_signal_are_refused(nodes):
    x, weight = torch.randn(2, 5, 8), torch.ones(2)
    chosen = torch.full((2, 5, 8), nodes, dtype=torch.int32)
    for call in (
        lambda: operators.gather(x, chosen),
        lambda: operators.scatter(x, chosen, 5),
        lambda: operators.combine_backward(x, x, weight, chosen),
    ):
        with pytest.raises(ValueError, match="`nodes` must be in"):
            call()


@pytest.mark.parametrize("shape", [(2, 4, 8), (2, 5, 7), (1, 5, 8), (2, 5)])
def test_a_gradient_of_another_shape_is_refused(shape):
    x, weight = torch.randn(2, 5, 8), torch.ones(2)
    nodes = torch.zeros(2, 5, 8, dtype=torch.int32)
    with pytest.raises(ValueError, match="must have shape"):
        operators.combine_backward(torch.randn(shape), x, weight, nodes)
