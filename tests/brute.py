"""The oracle: what the operators mean, as loops over Python sets.

Nothing here is shared with the library. A neighbourhood is a set of node ids, a signal
is a tensor ``(B, N, F)`` read number by number, an order statistic is a position in a
sorted list. Beside the loops stand the hypothesis strategies that many tests draw from.
"""

import itertools
import math
from collections import deque
from fractions import Fraction

import torch
from hypothesis import strategies as st

# --- which of n sorted values: positions from 0 ---------------------------------------


def minimum(n):
    return 0


def maximum(n):
    return n - 1


def upper(n):
    return n // 2


def lower(n):
    return (n - 1) // 2


def quantile(decimal):
    """Position of a rank written as a decimal number, such as ``"0.29"``."""
    return lambda n: math.floor(Fraction(decimal) * (n - 1))


# --- neighbourhoods -------------------------------------------------------------------


def balls(edges, num_nodes, hops):
    """Sets of the nodes within 1, ..., ``hops`` hops, a list of sets per hop count."""
    distances = [_distances(edges, i) for i in range(num_nodes)]
    return [
        [{j for j, d in found.items() if d <= k} for found in distances]
        for k in range(1, hops + 1)
    ]


def _distances(edges, node):
    """Edges to walk from every node that reaches ``node``: breadth-first search."""
    found, waiting = {node: 0}, deque([node])
    while waiting:
        at = waiting.popleft()
        for source, target in edges:
            if target == at and source not in found:
                found[source] = found[at] + 1
                waiting.append(source)
    return found


def spheres(edges, num_nodes, hops):
    """Sets of the nodes from which a walk of exactly 1, ..., ``hops`` edges arrives."""
    stacked, reached = [], [{i} for i in range(num_nodes)]
    for _ in range(hops):
        reached = [{s for s, t in edges if t in nodes} for nodes in reached]
        stacked.append(reached)
    return stacked


def csr(rows, index=torch.int32, pointer=torch.int64):
    """Row pointers and sorted ids of a list of sets."""
    starts = itertools.accumulate((len(row) for row in rows), initial=0)
    ids = [j for row in rows for j in sorted(row)]
    return torch.tensor(list(starts), dtype=pointer), torch.tensor(ids, dtype=index)


# --- order statistics -----------------------------------------------------------------


def pick(held, position, skip_nan=False):
    """Value and node selected from one row, a map from node id to value."""
    missing = [j for j in sorted(held) if math.isnan(held[j])]
    if missing and not skip_nan:
        return math.nan, missing[0]
    kept = {j: v for j, v in held.items() if not math.isnan(v)}
    if not kept:
        return 0.0, -1
    target = sorted(kept.values())[position(len(kept))]
    node = min(j for j, v in kept.items() if v == target)
    return kept[node], node


def select(x, rows, position, skip_nan=False):
    """Values and nodes of all rows, ``(B, M, F)`` each."""
    values = torch.zeros(x.size(0), len(rows), x.size(2), dtype=x.dtype)
    nodes = torch.full_like(values, -1, dtype=torch.int32)
    for b, m, f, held in _rows(x, rows):
        values[b, m, f], nodes[b, m, f] = pick(held, position, skip_nan)
    return values, nodes


def tied(held, position, skip_nan=False):
    """The nodes of one row that hold the selected value."""
    value, node = pick(held, position, skip_nan)
    if math.isnan(value):
        return [j for j, v in held.items() if math.isnan(v)]
    return [j for j, v in held.items() if v == value] if node >= 0 else []


def shared_gradient(x, rows, position, grad, skip_nan=False):
    """Gradient of ``x`` when tied nodes share that of their row evenly."""
    total = torch.zeros_like(x)
    for b, m, f, held in _rows(x, rows):
        equal = tied(held, position, skip_nan)
        for j in equal:
            total[b, j, f] += grad[b, m, f] / len(equal)
    return total


def mean(x, rows):
    """Means of all rows, ``(B, M, F)``; 0 where a row is empty."""
    means = torch.zeros(x.size(0), len(rows), x.size(2), dtype=x.dtype)
    for b, m, f, held in _rows(x, rows):
        if held:
            means[b, m, f] = math.fsum(held.values()) / len(held)
    return means


def _rows(x, rows):
    listed = x.detach().double().tolist()
    places = itertools.product(range(x.size(0)), range(len(rows)), range(x.size(2)))
    for b, m, f in places:
        yield b, m, f, {j: listed[b][j][f] for j in rows[m]}


# --- what tests draw from -------------------------------------------------------------

PLAIN = [-2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0]  # few, so that ties are frequent
HARD = [*PLAIN, math.inf, -math.inf, math.nan]


@st.composite
def digraphs(draw, most=6):
    """Number of nodes, and edges (source, target) without repetition."""
    num_nodes = draw(st.integers(1, most))
    ends = st.tuples(*[st.integers(0, num_nodes - 1)] * 2)
    return num_nodes, sorted(draw(st.sets(ends, max_size=3 * num_nodes)))


def signals(shape, pool=PLAIN, dtype=torch.float64):
    """Tensors of a shape whose numbers come from a small pool."""
    size = math.prod(shape)
    numbers = st.lists(st.sampled_from(pool), min_size=size, max_size=size)
    return numbers.map(lambda drawn: torch.tensor(drawn, dtype=dtype).view(shape))
