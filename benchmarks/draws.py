"""Random graphs of a stated size, from arrays alone: no loop over nodes or edges."""

from pathlib import Path

import numpy as np
import torch

import vicinal as vc

KEPT = Path(__file__).resolve().parents[1] / "output" / "graphs"


def chung_lu(num_nodes, num_edges, gamma, largest, seed):
    """Draw exactly ``num_edges`` distinct undirected edges with power-law degrees.

    Both ends of an edge are drawn in proportion to the expected degree, which is that
    of weights ``(1 - U)^(-1 / (gamma - 1))``, capped at ``largest``.
    """
    rng = np.random.default_rng(seed)
    weights = (1 - rng.random(num_nodes)) ** (-1 / (gamma - 1))
    degrees = expected_degrees(weights, 2 * num_edges, largest)
    shares = degrees / degrees.sum()
    keys = np.zeros(0, np.int64)  # low * num_nodes + high, sorted
    while (missing := num_edges - len(keys)) > 0:
        drawn = _pairs(rng, shares, missing + missing // 8 + 16)
        keys = np.unique(np.concatenate([keys, drawn]))
    surplus = rng.choice(len(keys), len(keys) - num_edges, replace=False)
    keys = np.delete(keys, surplus)
    low, high = np.divmod(keys, num_nodes)
    return from_keys(np.concatenate([keys, high * num_nodes + low]), num_nodes)


def kept(name, *sizes, seed):
    """As :func:`chung_lu`; the arrays stay on disk for the next process."""
    path = KEPT / f"{name}.npz"
    if not path.is_file():
        graph = chung_lu(*sizes, seed)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new.npz")
        np.savez(aside, indptr=graph.indptr.numpy(), indices=graph.indices.numpy())
        aside.replace(path)
        return graph
    with np.load(path) as arrays:
        indptr, indices = (torch.from_numpy(arrays[k]) for k in ("indptr", "indices"))
    return vc.Graph(indptr, indices, torch.ones(len(indices)))


def expected_degrees(weights, total, largest):
    """Scale weights to a sum of ``total`` with none above ``largest``."""
    low, high = 0.0, largest / weights.min()
    for _ in range(100):
        scale = (low + high) / 2
        if np.minimum(scale * weights, largest).sum() < total:
            low = scale
        else:
            high = scale
    return np.minimum(high * weights, largest)


def _pairs(rng, shares, count):
    """Keys of ``count`` pairs of nodes, pairs of a node with itself left out.

    How often each node is drawn, then in which order: the same law as independent
    draws, without looking up every one of them.
    """
    num_nodes = len(shares)
    often = rng.multinomial(2 * count, shares)
    ends = np.repeat(np.arange(num_nodes, dtype=np.int32), often)
    rng.shuffle(ends)
    ends = ends.reshape(2, count)
    low, high = np.minimum(*ends), np.maximum(*ends)
    keys = low.astype(np.int64) * num_nodes + high
    return keys[low != high]


def lognormal_digraph(num_nodes, mean_degree, sigma, seed):
    """Make each ordered pair an edge with probability c sqrt(s_i s_j), s log-normal."""
    rng = np.random.default_rng(seed)
    roots = np.sqrt(rng.lognormal(0, sigma, num_nodes))
    affinity = np.outer(roots, roots)
    np.fill_diagonal(affinity, 0)
    pairs = affinity[affinity > 0]
    chances = np.zeros_like(affinity)
    chances[affinity > 0] = expected_degrees(pairs, mean_degree * num_nodes, 1.0)
    return vc.Graph.from_dense((rng.random(affinity.shape) < chances).astype("f4"))


def stretched_points(num_points, dimensions, scale, seed):
    """Normal points, each pushed outward by its own factor 1 + exponential(scale)."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(num_points, dimensions))
    return points * (1 + rng.exponential(scale, (num_points, 1)))


def random_in_neighbors(num_nodes, degree, seed):
    """Feed every node by ``degree`` nodes drawn at random, repeated ones merged."""
    rng = np.random.default_rng(seed)
    source = rng.integers(num_nodes, size=(num_nodes, degree))
    keys = np.arange(num_nodes)[:, None] * num_nodes + source
    return from_keys(np.unique(keys), num_nodes)


def near_in_neighbors(num_nodes, degree):
    """Feed every node by the ``degree`` nodes around it on a ring."""
    steps = np.setdiff1d(np.arange(-(degree // 2), degree // 2 + 1), [0])
    target = np.arange(num_nodes)[:, None]
    keys = target * num_nodes + (target + steps) % num_nodes
    return from_keys(keys.ravel(), num_nodes)


def from_keys(keys, num_nodes):
    """Make a graph of distinct keys ``target * num_nodes + source``, sorted in place.

    Straight to rows: for 60 million edges, ``Graph.from_edges`` would sort pairs of
    int64 and hold several copies of them.
    """
    keys.sort()
    indptr = np.searchsorted(keys, np.arange(num_nodes + 1) * num_nodes)
    keys %= num_nodes
    indices = keys.astype(np.int32)
    return vc.Graph(
        torch.from_numpy(indptr), torch.from_numpy(indices), torch.ones(len(indices))
    )
