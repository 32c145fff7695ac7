"""Loops over neighbours, behind a few differentiable operators on bare CSR tensors.

- :mod:`vicinal.kernels.rank` -- which order statistic, as integers
- :mod:`vicinal.kernels.reference` -- plain torch loops: every device, and the oracle
- :mod:`vicinal.kernels.operators` -- schemas, checks, fake shapes, vmap
- :mod:`vicinal.kernels.gradients` -- the differentiable functions exported here
"""

from vicinal.kernels.gradients import maxima as maxima
from vicinal.kernels.gradients import product as product
from vicinal.kernels.gradients import select as select
from vicinal.kernels.gradients import select_shared as select_shared
from vicinal.kernels.operators import active_path as active_path
