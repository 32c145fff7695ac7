"""Loops over neighbours, behind a few differentiable operators on bare CSR tensors.

- :mod:`vicinal.kernels.rank` -- which order statistic, as integers
- :mod:`vicinal.kernels.reference` -- plain torch loops: every device, and the oracle
- :mod:`vicinal.kernels.native` -- the compiled loops of ``csrc/``
- :mod:`vicinal.kernels.hops` -- k-hop neighbourhoods
- :mod:`vicinal.kernels.path` -- which of the two serves
- :mod:`vicinal.kernels.checks` -- what is refused, on every call
- :mod:`vicinal.kernels.ties` -- plain torch loops where tied nodes share
- :mod:`vicinal.kernels.schemas` -- the operators by name
- :mod:`vicinal.kernels.operators` -- checks, then loops
- :mod:`vicinal.kernels.tracing` -- shapes without data, and vmap
- :mod:`vicinal.kernels.autograd` -- an operator and its gradient, in every mode
- :mod:`vicinal.kernels.gradients` -- differentiable selections and combinations
- :mod:`vicinal.kernels.matrix` -- differentiable products with a sparse matrix
"""

from vicinal.kernels.gradients import combine as combine
from vicinal.kernels.gradients import combine_balls as combine_balls
from vicinal.kernels.gradients import combine_maxima as combine_maxima
from vicinal.kernels.gradients import maxima as maxima
from vicinal.kernels.gradients import select as select
from vicinal.kernels.gradients import select_balls as select_balls
from vicinal.kernels.gradients import select_shared as select_shared
from vicinal.kernels.hops import ball_sizes as ball_sizes
from vicinal.kernels.hops import balls as balls
from vicinal.kernels.hops import reachable as reachable
from vicinal.kernels.matrix import horner as horner
from vicinal.kernels.matrix import powers as powers
from vicinal.kernels.matrix import product as product
from vicinal.kernels.path import active_path as active_path
from vicinal.kernels.path import uses_native as uses_native
