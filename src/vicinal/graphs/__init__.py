"""What a graph is, and what follows from it alone.

- :mod:`vicinal.graphs.graph` -- :class:`Graph`: frozen CSR rows of in-neighbours
- :mod:`vicinal.graphs.edges` -- edge lists and matrices to checked rows
- :mod:`vicinal.graphs.neighborhoods` -- k-hop neighbourhoods as stacked rows
- :mod:`vicinal.graphs.shifts` -- shift operators by name
- :mod:`vicinal.graphs.sparse` -- a fixed sparse matrix with its transpose
- :mod:`vicinal.graphs.averages` -- means over neighbourhoods as one matrix
- :mod:`vicinal.graphs.interop` -- networkx and PyG
- :mod:`vicinal.graphs.cost` -- ball sizes, bytes, operations before they are spent
- :mod:`vicinal.graphs.generators` -- random graphs with an explicit seed
"""

from vicinal.graphs.averages import averages as averages
from vicinal.graphs.cost import Cost as Cost
from vicinal.graphs.generators import erdos_renyi as erdos_renyi
from vicinal.graphs.generators import from_points as from_points
from vicinal.graphs.generators import is_connected as is_connected
from vicinal.graphs.generators import nearest_neighbors as nearest_neighbors
from vicinal.graphs.generators import random_geometric as random_geometric
from vicinal.graphs.generators import stochastic_block_model as stochastic_block_model
from vicinal.graphs.graph import Graph as Graph
from vicinal.graphs.neighborhoods import Neighborhoods as Neighborhoods
from vicinal.graphs.neighborhoods import memory_limit as memory_limit
from vicinal.graphs.neighborhoods import set_memory_limit as set_memory_limit
from vicinal.graphs.sparse import SparseMatrix as SparseMatrix
