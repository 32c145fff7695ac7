"""Write your own local activation: here the range, largest minus smallest value.

A subclass of `LocalActivation` says what one neighbourhood gives, for 1, ..., K hops;
the trainable weights and their sum are inherited. Gradients need nothing further, and
one call checks that the numbering of the nodes does not matter.
"""

import torch

import vicinal as vc
from vicinal.testing import assert_permutation_equivariant


class RangeActivation(vc.nn.LocalActivation):
    """Weigh each node's value and the ranges over its neighbourhoods."""

    def local(self, x, graph):
        """Ranges over 1, ..., ``hops`` hops, ``(..., N, F)`` to ``(..., K, N, F)``."""
        largest = vc.functional.local_max(x, graph, self.hops)
        smallest = vc.functional.local_rank(x, graph, q=0.0, hops=self.hops)
        return largest - smallest


graph = vc.graphs.random_geometric(50, 0.25, seed=0, connected=True)
activation = RangeActivation(hops=2)
assert_permutation_equivariant(activation, graph)
print(f"{activation} is permutation equivariant")

torch.manual_seed(0)
x = torch.randn(50, 1, requires_grad=True)
activation(x, graph).sum().backward()
print(f"gradient of the hop weights: {activation.weight.grad.tolist()}")

model = vc.nn.GNN(1, [16, 16], 2, taps=3, activation=activation, readout="node")
print(f"a network of two layers with it: {tuple(model(x, graph).shape)}")
