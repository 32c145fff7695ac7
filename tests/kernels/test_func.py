"""The operators as citizens of torch: registration, torch.func, forward mode."""

import brute
import pytest
import torch
from torch.func import grad, jacfwd, jacrev, jvp, vmap
from torch.library import opcheck

from vicinal import kernels
from vicinal.kernels import operators, rank
from vicinal.kernels.schemas import SCHEMAS

pytestmark = pytest.mark.filterwarnings(  # torch's forward mode compiles with it
    "ignore:`torch.jit.script` is deprecated:DeprecationWarning"
)

ROWS = brute.csr([{0, 1, 2, 3}, {2}, set(), {1, 3}, {0, 4}])
MATRIX = (*ROWS, torch.arange(1.0, 10.0, dtype=torch.float64))
TRANSPOSE = (  # by hand: column j lists the rows that hold it
    torch.tensor([0, 2, 4, 6, 8, 9]),
    torch.tensor([0, 4, 0, 3, 0, 1, 0, 3, 4]),
    torch.tensor([1.0, 8, 2, 6, 3, 5, 4, 7, 9], dtype=torch.float64),
)
FUNCTIONS = {
    "max": lambda x: kernels.select(x, *ROWS, rank.MAX)[0],
    "median": lambda x: kernels.select(x, *ROWS, rank.UPPER_MEDIAN)[0],
    "shared": lambda x: kernels.select_shared(x, *ROWS, rank.UPPER_MEDIAN)[0],
    "maxima": lambda x: kernels.maxima(x, *ROWS, 2)[0],
    "combine": lambda x: kernels.combine(x, W, *BALLS, rank.UPPER_MEDIAN),
    "combine_balls": lambda x: kernels.combine_balls(x, W, *ROWS, rank.UPPER_MEDIAN),
    "combine_maxima": lambda x: kernels.combine_maxima(x, W, *ROWS),
    "product": lambda x: kernels.product(x[0], MATRIX, TRANSPOSE),
    "powers": lambda x: kernels.powers(x, MATRIX, TRANSPOSE, 3),
    "horner": lambda x: kernels.horner(x.unflatten(2, (3, 1)), MATRIX, TRANSPOSE),
}


def signal(*leading, dtype=torch.float64):
    """Small integers: half of the rows have ties."""
    return torch.randint(0, 3, (*leading, 2, 5, 3)).to(dtype)


def weighted(function):
    """A scalar that every output moves, differently."""

    def total(x):
        y = function(x)
        return (y * torch.arange(1.0, y.numel() + 1, dtype=y.dtype).view_as(y)).sum()

    return total


def same(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


X = signal()
W = torch.tensor([0.5, 2.0, -1.0], dtype=torch.float64)
BALLS = (torch.tensor([0, *ROWS[0][1:], *(ROWS[0][1:] + 9)]), ROWS[1].repeat(2))
NODES = kernels.maxima(X, *ROWS, 2)[1]
VALUES = brute.select(X, [{0, 1, 2, 3}, {2}, set(), {1, 3}, {0, 4}], brute.upper)[0]
RAW = {
    "select": (X, *ROWS, [1, 1, 2], False),
    "select_shared": (X, *ROWS, [1, 1, 2], True),
    "select_balls": (X, *ROWS, 2, [1, 1, 2], False),
    "maxima": (X, *ROWS, 2, False),
    "combine": (X, W, *BALLS, [1, 1, 2], False, True),
    "combine_balls": (X, W, *ROWS, [1, 1, 2], False, True),
    "combine_maxima": (X, W, *ROWS, False, True),
    "combine_backward": (X, X, W, NODES),
    "gather": (X, NODES),
    "scatter": (NODES.double(), NODES, 5),
    "tie_spread": (VALUES, X, VALUES, *ROWS),
    "tie_mean": (X, X, VALUES, *ROWS),
    "product": (X[0], *MATRIX, *TRANSPOSE),
    "powers": (X, *MATRIX, *TRANSPOSE, 3),
    "horner": (X.unsqueeze(2), *MATRIX, *TRANSPOSE),
}


PAIRS = [(name, gradient) for name in RAW for gradient in (False, True)]
PAIRS.remove(("combine_backward", True))  # a backward pass: never called with gradient


@pytest.mark.parametrize(("name", "gradient"), PAIRS)
def test_operators_are_registered_as_torch_wants(name, gradient):
    first, *rest = RAW[name]
    first = first.detach().clone().requires_grad_(gradient)
    opcheck(getattr(operators, name), (first, *rest))


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_operator_is_forgotten_here(name):
    assert name in RAW


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_operators_are_registered_in_half_precision(dtype):
    for name in ("select", "select_shared", "maxima"):
        opcheck(getattr(operators, name), (X.to(dtype), *RAW[name][1:]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vmap_agrees_with_a_loop(name):
    x = signal(4)
    looped = torch.stack([FUNCTIONS[name](part) for part in x])
    same(vmap(FUNCTIONS[name])(x), looped)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vmap_over_any_dimension_agrees_with_a_loop(name):
    x = signal(4)
    looped = torch.stack([FUNCTIONS[name](part) for part in x], dim=1)
    same(vmap(FUNCTIONS[name], in_dims=3, out_dims=1)(x.movedim(0, 3)), looped)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nested_vmap_agrees_with_loops(name):
    x = signal(2, 3)
    looped = torch.stack([torch.stack([FUNCTIONS[name](b) for b in a]) for a in x])
    same(vmap(vmap(FUNCTIONS[name]))(x), looped)


@pytest.mark.parametrize("name", ["select", "select_shared", "maxima"])
def test_vmap_maps_selected_nodes_too(name):
    x = signal(4)
    rest = RAW[name][1:]
    _, found = vmap(lambda part: getattr(operators, name)(part, *rest))(x)
    looped = torch.stack([getattr(operators, name)(part, *rest)[1] for part in x])
    assert found.equal(looped)


def by_autograd(function, x):
    x = x.detach().clone().requires_grad_()
    return torch.autograd.grad(function(x), x)[0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_func_grad_agrees_with_autograd(name):
    scalar = weighted(FUNCTIONS[name])
    same(grad(scalar)(X), by_autograd(scalar, X))
    assert by_autograd(scalar, X).count_nonzero() > 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vmap_of_grad_agrees_with_a_loop(name):
    scalar, x = weighted(FUNCTIONS[name]), signal(4)
    same(vmap(grad(scalar))(x), torch.stack([by_autograd(scalar, p) for p in x]))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
def test_jacobians_agree_with_autograd(name, jacobian):
    expected = torch.autograd.functional.jacobian(FUNCTIONS[name], X)
    same(jacobian(FUNCTIONS[name])(X), expected)
    assert expected.count_nonzero() > 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vmap_of_jacobians_agrees_with_a_loop(name):
    x = signal(3)
    looped = torch.stack([jacrev(FUNCTIONS[name])(part) for part in x])
    same(vmap(jacrev(FUNCTIONS[name]))(x), looped)
    same(vmap(jacfwd(FUNCTIONS[name]))(x), looped)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_forward_mode_pushes_tangents_along(name):
    tangent = torch.randn_like(X)
    value, pushed = jvp(FUNCTIONS[name], (X,), (tangent,))
    same(value, FUNCTIONS[name](X))
    jacobian = torch.autograd.functional.jacobian(FUNCTIONS[name], X)
    same(pushed, torch.tensordot(jacobian, tangent, dims=3))
    assert pushed.count_nonzero() > 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_forward_over_reverse_agrees_with_reverse_over_reverse(name):
    def curved(x):
        return weighted(FUNCTIONS[name])(x.sin())

    same(jacfwd(grad(curved))(X), jacrev(grad(curved))(X))
