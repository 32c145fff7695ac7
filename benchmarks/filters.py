"""Forms of the filter bank, five taps, forward and backward.

``dense powers`` is what a straightforward implementation does: signals ``(B, G, N)``
times a dense S, tap after tap, kept side by side and mixed at the end.
"""

import torch
from torch.nn import Parameter

from benchmarks import timing
from benchmarks.setting import Product, csr_pair
from benchmarks.workloads import make
from vicinal import functional as F

TAPS = 5
CASES = {
    **{f"{name} {inputs}->32": (name, inputs, 32)
       for name in ("W1", "W2", "W3", "W5") for inputs in (1, 32)},
    "W4 1433->16": ("W4", 1433, 16),
    "W4 16->7": ("W4", 16, 7),
}  # fmt: skip
WORDS = 0.0127  # share of ones among Cora's 1433 words


class Bank:
    """One filter bank on one graph, in all its forms."""

    def __init__(self, workload, inputs, outputs):
        generator = torch.Generator().manual_seed(0)
        graph = workload.graph
        shape = (workload.batch, graph.num_nodes, inputs)
        self.words = inputs > 1000
        if self.words:
            self.x = (torch.rand(shape, generator=generator) < WORDS).float()
        else:
            self.x = torch.randn(shape, generator=generator).requires_grad_()
        drawn = torch.randn(TAPS, inputs, outputs, generator=generator)
        self.weight = Parameter(drawn / (inputs * TAPS) ** 0.5)
        self.trained = [self.weight] if self.words else [self.x, self.weight]
        self.shift = graph.shift()
        self.dense = self.shift.to_dense()
        self.pair = csr_pair(graph.to_scipy() * _scale(graph, self.shift))

    def forms(self):
        """Functions ``x -> u`` by name; the last ones are the library's."""
        found = {
            "dense powers": self.dense_powers,
            "powers CSR": lambda x: self.powers(x, self.sparse_shift),
            "Horner CSR": lambda x: self.horner(x, self.sparse_shift),
            "powers dense": lambda x: self.powers(x, self.dense_shift),
            "Horner dense": lambda x: self.horner(x, self.dense_shift),
            "vicinal": lambda x: F.graph_filter(x, self.shift, self.weight),
        }
        if self.words:
            sparse = self.x[0].to_sparse_csr()
            found["vicinal, sparse x"] = lambda x: F.graph_filter(
                sparse, self.shift, self.weight
            )[None]
        return found

    def dense_powers(self, x):
        """Shift ``(B, G, N)`` by a dense S, stack, mix."""
        shifted = [x.transpose(1, 2)]
        for _ in range(TAPS - 1):
            shifted.append(shifted[-1] @ self.dense.T)
        return torch.einsum("kbgn,kgf->bnf", torch.stack(shifted), self.weight)

    def powers(self, x, shift):
        """Shift the inputs, then mix."""
        shifted = [x]
        for _ in range(TAPS - 1):
            shifted.append(shift(shifted[-1]))
        return torch.cat(shifted, dim=-1) @ self.weight.flatten(0, 1)

    def horner(self, x, shift):
        """Mix, then shift the outputs: h_0 x + S(h_1 x + S(h_2 x + ...))."""
        u = x @ self.weight[-1]
        for k in range(TAPS - 2, -1, -1):
            u = x @ self.weight[k] + shift(u)
        return u

    def sparse_shift(self, x):
        """S x by torch's CSR product, the transpose made ahead."""
        return _nodes_first(lambda columns: Product.apply(columns, *self.pair), x)

    def dense_shift(self, x):
        """S x by one dense product over all signals."""
        return _nodes_first(lambda columns: self.dense @ columns, x)


def _nodes_first(multiply, x):
    columns = multiply(x.transpose(0, 1).flatten(1))  # (N, B * F)
    return columns.unflatten(1, (x.size(0), x.size(2))).transpose(0, 1)


def _scale(graph, shift):
    """What the library multiplied the adjacency by, so that all forms agree."""
    weights = graph.weight
    return float(shift.rows[2].abs().max() / weights.abs().max())


def measure(case, patience=timing.FULL):
    """One row per form: milliseconds on one thread, ratio to the best other form."""
    name, inputs, outputs = CASES[case]
    bank = Bank(make(name), inputs, outputs)
    calls = {}
    for form, function in bank.forms().items():
        if patience.quick and bank.words and form in ("powers dense", "Horner dense"):
            continue
        calls[form] = timing.forward_backward(function, bank.x, bank.trained)
    with timing.threads(1):
        times = timing.interleaved(calls, patience)
    others = [t.cpu for form, t in times.items() if "vicinal" not in form]
    return [
        {
            "case": case,
            "form": form,
            "f+b cpu 1": 1e3 * t.cpu,
            "to best": t.cpu / min(others),
            "over dense powers": times["dense powers"].cpu / t.cpu,
            "rounds": t.rounds,
        }
        for form, t in times.items()
    ]
