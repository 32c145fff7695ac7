"""Modules: parameters, and one call into :mod:`vicinal.functional`.

- :mod:`vicinal.nn.filter` -- :class:`GraphFilter`
- :mod:`vicinal.nn.local` -- :class:`LocalActivation`: hop weights and their sum
- :mod:`vicinal.nn.activation` -- median, max, rank, and mean activations
- :mod:`vicinal.nn.pointwise` -- rivals that look at one node at a time
- :mod:`vicinal.nn.dropout` -- dropout of values or of whole nodes
- :mod:`vicinal.nn.readout` -- one answer per signal, or one per node
- :mod:`vicinal.nn.model` -- :class:`GNN`: filter, activation, repeated, readout
"""

from vicinal.nn.activation import MaxActivation as MaxActivation
from vicinal.nn.activation import MeanActivation as MeanActivation
from vicinal.nn.activation import MedianActivation as MedianActivation
from vicinal.nn.activation import RankActivation as RankActivation
from vicinal.nn.dropout import Dropout as Dropout
from vicinal.nn.filter import GraphFilter as GraphFilter
from vicinal.nn.filter import Shifted as Shifted
from vicinal.nn.local import LocalActivation as LocalActivation
from vicinal.nn.model import GNN as GNN
from vicinal.nn.pointwise import Maxout as Maxout
from vicinal.nn.pointwise import Pointwise as Pointwise
from vicinal.nn.readout import NodeReadout as NodeReadout
from vicinal.nn.readout import SignalReadout as SignalReadout
