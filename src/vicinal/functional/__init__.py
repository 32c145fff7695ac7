"""Pure functions: graph filters, local operators and their combination.

Signals are tensors ``(..., nodes, features)``; the graph is always an argument. Where a
function takes a graph it also takes :class:`~vicinal.graphs.Neighborhoods` made by
hand, for example ``graph.neighborhoods(2, exact=True)``: these bring their hop count.

- :mod:`vicinal.functional.local` -- median, maximum, any rank over neighbourhoods
- :mod:`vicinal.functional.activation` -- order statistics and their sum in one call
- :mod:`vicinal.functional.combine` -- means, and the weighted sum over hops
- :mod:`vicinal.functional.policies` -- what NaN, ties and empty neighbourhoods give
- :mod:`vicinal.functional.filter` -- polynomials in the shift operator
"""

from vicinal.functional.activation import local_activation as local_activation
from vicinal.functional.combine import local_mean as local_mean
from vicinal.functional.combine import multiresolution as multiresolution
from vicinal.functional.filter import graph_filter as graph_filter
from vicinal.functional.filter import shift_powers as shift_powers
from vicinal.functional.filter import tap_sum as tap_sum
from vicinal.functional.local import Selection as Selection
from vicinal.functional.local import local_max as local_max
from vicinal.functional.local import local_median as local_median
from vicinal.functional.local import local_rank as local_rank
from vicinal.functional.local import local_select as local_select
