"""The picture of a signal before and after: a PNG, the same every time."""

import networkx as nx
import numpy as np

from vicinal.report.network_picture import before_and_after, places


def network():
    return nx.to_scipy_sparse_array(nx.random_regular_graph(4, 30, seed=0))


def test_it_is_a_picture_and_the_same_every_time():
    before, after = np.arange(30.0) % 6, np.full(30, 3.0)
    one, two = (before_and_after(network(), before, after, "t") for _ in range(2))
    assert one.startswith(b"\x89PNG")
    assert one == two
    assert one != before_and_after(network(), after, before, "t")


def test_no_two_nodes_share_a_place():
    at = places(network())
    assert len(np.unique(at[:, 0])) == len(np.unique(at[:, 1])) == 30
    assert (at.min(), at.max()) == (0.0, 1.0)


def test_it_says_what_zero_is_and_which_network_predicts():
    before, after = np.arange(30.0) % 6, np.full(30, 3.0)
    drawn = before_and_after(network(), before, after, "t", network="ReLU", form="svg")
    text = drawn.decode()
    assert "<!-- stars (0: not rated) -->" in text
    assert "<!-- t, after: stars predicted by the ReLU network -->" in text
    assert "most like its own" in text


def test_nothing_rated_and_nothing_predicted_is_drawn():
    none = np.zeros(30)
    assert before_and_after(network(), none, none, "t").startswith(b"\x89PNG")
