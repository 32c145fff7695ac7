"""Published methods that a result is compared with, called as ``model(x, graph)``."""

from vicinal.rivals.appnp import APPNP as APPNP
from vicinal.rivals.gcn import GCN as GCN
from vicinal.rivals.sgc import SGC as SGC
