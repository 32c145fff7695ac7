"""The picture of a word network: a word and an edge for each that is to be seen."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.path import Path

from vicinal.report.word_network import draw_network

BOW = [Path.MOVETO, Path.CURVE3, Path.CURVE3]


def edges(figure):
    (axes,) = figure.axes
    paths = [path for drawn in axes.collections for path in drawn.get_paths()]
    return sum(path.codes is not None and list(path.codes) == BOW for path in paths)


def test_words_and_edges_are_drawn():
    weights = [[0.5, 0.49, 0.01], [0.3, 0.0, 0.7], [0.0, 0.0, 0.0]]
    figure = draw_network(["of", "the", "to"], weights, [3, 5, 1])
    assert [text.get_text() for text in figure.axes[0].texts] == ["of", "the", "to"]
    assert edges(figure) == 3  # neither the loop nor what is below 2 %


def test_a_network_without_edges_is_drawn():
    assert edges(draw_network(["of", "the"], [[1.0, 0.0], [0.0, 1.0]], [1, 1])) == 0


def test_arrowheads_point_from_a_word_to_its_successor():
    figure = draw_network(["of", "the"], [[0.0, 1.0], [0.0, 1.0]], [1, 1])
    (axes,) = figure.axes
    (heads,) = [c for c in axes.collections if isinstance(c, PolyCollection)]
    (path,) = heads.get_paths()
    tip, *back = np.asarray(path.vertices)[:3]
    assert tip[0] < np.mean(back, axis=0)[0]  # "of" stands right, "the" left
    assert "An arrow runs from a function word to one that follows" in str(
        figure.get_supxlabel()
    )
