"""Random weighted digraphs for hypothesis."""

from brute import digraphs
from hypothesis import strategies as st

import vicinal as vc

SIGNED = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)  # few values, so that sums often cancel
POSITIVE = (0.25, 0.5, 1.0, 2.0)


@st.composite
def weighted_digraphs(draw, pool=SIGNED, most=6):
    """Number of nodes, edges (source, target) without repetition, weights."""
    num_nodes, edges = draw(digraphs(most))
    weight = st.lists(st.sampled_from(pool), min_size=len(edges), max_size=len(edges))
    return num_nodes, edges, draw(weight)


def graph_of(drawn):
    num_nodes, edges, weight = drawn
    return vc.Graph.from_edges(edges, num_nodes, weight)
