"""Published methods that a result is compared with.

Networks are called as ``model(x, graph)``. :mod:`vicinal.rivals.rating_filters` and
:mod:`vicinal.rivals.srmgcnn` complete matrices of ratings.
"""

from vicinal.rivals.appnp import APPNP as APPNP
from vicinal.rivals.gcn import GCN as GCN
from vicinal.rivals.sgc import SGC as SGC
