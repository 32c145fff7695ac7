"""Digraphs, signals and calls that the tests of the native kernels share.

Everything is drawn from seeded generators. ``kernels`` is the module under test or the
oracle: :mod:`vicinal.kernels.native` or :mod:`vicinal.kernels.reference`.
"""

import math

import torch

from vicinal.kernels import rank

RANKS = {
    "upper": rank.UPPER_MEDIAN,
    "lower": rank.LOWER_MEDIAN,
    "max": rank.MAX,
    "min": rank.MIN,
    "0.1": rank.quantile(0.1),
    "0.73": rank.quantile(0.73),
}
SIGNALS = (
    "normal",
    "tied",
    "zeros",
    "infinite",
    "nan",
    "constant",
    "smooth",
    "huge",
)


def generator(*seed):
    """A generator for a case named by small integers."""
    mixed = 0
    for part in seed:
        mixed = mixed * 1_000_003 + part + 1
    return torch.Generator().manual_seed(mixed % 2**31)


def rows_of(mask):
    """CSR rows of a boolean matrix."""
    indptr = torch.zeros(mask.size(0) + 1, dtype=torch.int64)
    indptr[1:] = mask.sum(1).cumsum(0)
    return indptr, mask.nonzero()[:, 1].int()


def digraph(num_nodes, degree=8.0, seed=0):
    """A random digraph with hub rows, a row of all nodes and empty rows."""
    draw = generator(num_nodes, seed)
    mask = torch.rand(num_nodes, num_nodes, generator=draw) < degree / num_nodes
    if num_nodes > 3:
        mask[num_nodes // 2] = True
        mask[1] = torch.rand(num_nodes, generator=draw) < 0.6
        mask[3] = torch.rand(num_nodes, generator=draw) < 0.2
        mask[0] = mask[-1] = False
    return rows_of(mask)


def widths(num_nodes, sizes, seed=0):
    """Rows of exactly the given sizes."""
    mask = torch.zeros(len(sizes), num_nodes, dtype=torch.bool)
    for row, size in zip(mask, sizes, strict=True):
        row[torch.randperm(num_nodes, generator=generator(size, seed))[:size]] = True
    return rows_of(mask)


def signal(kind, shape, dtype=torch.float32, seed=0):
    """A batch of signals ``(B, N, F)`` that is hard in one way."""
    draw = generator(*shape, seed)
    x = torch.randn(shape, generator=draw, dtype=torch.float64)
    dice = torch.rand(shape, generator=draw)
    if kind == "tied":
        x = torch.randint(-2, 3, shape, generator=draw).double()
    elif kind == "zeros":
        x = torch.where(dice < 0.4, 0.0, torch.where(dice < 0.8, -0.0, x))
    elif kind == "infinite":
        x = torch.where(dice < 0.3, math.inf, torch.where(dice < 0.6, -math.inf, x))
    elif kind == "nan":
        x = torch.where(dice < 0.1, math.nan, torch.where(dice < 0.2, -0.0, x))
        x[:, ::3] = torch.where(dice[:, ::3] < 0.9, math.nan, x[:, ::3])
    elif kind == "constant":
        x = torch.full(shape, -1.5, dtype=torch.float64)
    elif kind == "smooth":
        x = (
            1e6
            + torch.linspace(0, 3, shape[1]).double().sin()[None, :, None]
            + 1e-3 * x
        )
    elif kind == "huge":
        x = x * 10.0 ** (60 * dice.double() - 30)
    return x.to(dtype)


def same_bits(found, expected):
    """Fail unless two tensors agree bit for bit; one NaN is like another."""
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if found.is_floating_point():
        assert found.isnan().equal(expected.isnan())
        found, expected = found.nan_to_num(nan=7.0), expected.nan_to_num(nan=7.0)
        assert found.signbit().equal(expected.signbit())
    assert found.equal(expected), f"{int((found != expected).sum())} entries differ"


def close(found, expected, scale=None):
    """Fail unless two tensors agree to 1e-6 of ``scale``, entry by entry."""
    scale = expected.abs() if scale is None else scale
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    odd = ~expected.isfinite()
    same_bits(found[odd], expected[odd])
    error = (found.double() - expected.double()).abs()
    assert bool((error <= 1e-6 * scale.double())[~odd].all()), float(error[~odd].max())


def weights(hops, features, per_feature, dtype, seed=0):
    """Weights of a combination, one per hop or one per hop and feature."""
    shape = (hops + 1, features) if per_feature else (hops + 1,)
    drawn = torch.randn(shape, generator=generator(*shape, seed), dtype=torch.float64)
    return drawn.to(dtype)


def combination(kernels, x, weight, structure, rule, skip_nan=False):
    """Combination, nodes, and both gradients; ``rule`` None: iterated maxima."""
    if rule is None:
        given = (x, weight, *structure, skip_nan)
        combined, nodes = kernels.combine_maxima(*given, True)
        bare, none = kernels.combine_maxima(*given, False)
    else:
        given = (x, weight, *structure, list(rule), skip_nan)
        combined, nodes = kernels.combine(*given, True)
        bare, none = kernels.combine(*given, False)
    assert none.shape == (x.size(0), 0, x.size(2))
    same_bits(bare, combined)
    grad = signal("normal", tuple(x.shape), x.dtype, seed=9)
    return combined, nodes, *kernels.combine_backward(grad, x, weight, nodes)
