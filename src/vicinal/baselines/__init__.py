"""What a practitioner would try first: plain tensors in, answers out.

- :mod:`vicinal.baselines.mlp` -- a network that does not know the graph
"""

from vicinal.baselines.mlp import MLP as MLP
