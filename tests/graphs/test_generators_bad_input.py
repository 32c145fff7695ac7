"""What no random graph can be drawn from."""

import re

import numpy as np
import pytest

from vicinal.graphs import (
    erdos_renyi,
    from_points,
    nearest_neighbors,
    random_geometric,
    stochastic_block_model,
)

HALF = [[0.5, 0.1], [0.1, 0.5]]
NAN = float("nan")


@pytest.mark.parametrize("draw", [erdos_renyi, random_geometric, nearest_neighbors])
@pytest.mark.parametrize(
    ("num_nodes", "error", "words"),
    [
        (0, ValueError, "must be at least 1, got 0"),
        (-3, ValueError, "must be at least 1, got -3"),
        ("10", TypeError, "must be an integer, got str"),
        (10.0, TypeError, "must be an integer, got float"),
        (True, TypeError, "must be an integer, got bool"),
    ],
)
def test_the_number_of_nodes_is_checked(draw, num_nodes, error, words):
    with pytest.raises(error, match=f"`num_nodes` {words}"):
        draw(num_nodes, 1, seed=0)


@pytest.mark.parametrize(
    ("seed", "error", "words"),
    [
        (None, TypeError, "must be an integer, got NoneType"),
        ("0", TypeError, "must be an integer, got str"),
        (0.5, TypeError, "must be an integer, got float"),
        (True, TypeError, "must be an integer, got bool"),
        (-1, ValueError, r"must .*got -1"),
    ],
)
def test_the_seed_is_checked(seed, error, words):
    with pytest.raises(error, match=f"`seed` {words}"):
        erdos_renyi(10, 0.5, seed=seed)


def test_connected_is_a_switch():
    with pytest.raises(TypeError, match="`connected` must be True or False, got 'no'"):
        erdos_renyi(10, 0.5, seed=0, connected="no")


def test_the_seed_must_be_given():
    with pytest.raises(TypeError, match="seed"):
        erdos_renyi(10, 0.5)


@pytest.mark.parametrize(
    ("probability", "error", "words"),
    [
        (-0.1, ValueError, r"must be in the range \[0, 1\], got -0.1"),
        (1.5, ValueError, r"must be in the range \[0, 1\], got 1.5"),
        (NAN, ValueError, r"must be in the range \[0, 1\], got nan"),
        ("0.4", TypeError, r"must .*got str"),
        (None, TypeError, r"must .*got NoneType"),
    ],
)
def test_the_probability_is_checked(probability, error, words):
    with pytest.raises(error, match=f"`probability` {words}"):
        erdos_renyi(10, probability, seed=0)


@pytest.mark.parametrize(
    ("radius", "error", "words"),
    [
        (0.0, ValueError, "must be positive, got 0.0"),
        (-1.0, ValueError, "must be positive, got -1.0"),
        (NAN, ValueError, "must be positive, got nan"),
        ("0.1", TypeError, r"must .*got str"),
    ],
)
def test_the_radius_is_checked(radius, error, words):
    with pytest.raises(error, match=f"`radius` {words}"):
        random_geometric(10, radius, seed=0)


@pytest.mark.parametrize(
    ("sizes", "probabilities", "error", "words"),
    [
        ([5, 0], HALF, ValueError, "`sizes` must be at least 1, got 0"),
        ([5, "5"], HALF, TypeError, "`sizes` must be an integer, got str"),
        (10, [[0.5]], TypeError, "`sizes` must"),
        ([], [], ValueError, "must"),
        ([5], HALF, ValueError, "`probabilities` must be a symmetric matrix of size 1"),
        (
            [5, 5],
            [0.5, 0.1],
            ValueError,
            r"symmetric matrix of size 2, got shape \(2,\)",
        ),
        ([5, 5], [[0.5, 0.1], [0.2, 0.5]], ValueError, "must be a symmetric matrix"),
        (
            [5, 5],
            [[0.5, 2.0], [2.0, 0.5]],
            ValueError,
            r"in the range \[0, 1\], got 2.0",
        ),
        (
            [5, 5],
            [["a", "b"], ["b", "a"]],
            (TypeError, ValueError),
            "`probabilities` must",
        ),
        ([5, 5], [[0.5], [0.1, 0.5]], ValueError, "`probabilities` must"),
    ],
)
def test_the_blocks_are_checked(sizes, probabilities, error, words):
    with pytest.raises(error, match=words):
        stochastic_block_model(sizes, probabilities, seed=0)


@pytest.mark.parametrize(
    ("neighbors", "error", "words"),
    [
        (0, ValueError, "must be at least 1, got 0"),
        ("2", TypeError, "must be an integer, got str"),
        (2.0, TypeError, "must be an integer, got float"),
        (5, ValueError, r"must be smaller than .*5.*, got 5"),
    ],
)
def test_the_number_of_neighbors_is_checked(neighbors, error, words):
    with pytest.raises(error, match=f"`neighbors` {words}"):
        nearest_neighbors(5, neighbors, seed=0)


@pytest.mark.parametrize("neighbors", [0, 5, "2", 2.0])
def test_the_number_of_neighbors_of_given_points_is_checked(neighbors):
    points = np.arange(5.0)[:, None]
    with pytest.raises((TypeError, ValueError), match=r"`neighbors` must .*got "):
        from_points(points, neighbors)


@pytest.mark.parametrize(
    "points",
    [
        [0.0, 1.0, 2.0],
        [[0.0], [NAN], [1.0]],
        [["a"], ["b"], ["c"]],
        [[0.0], [1.0, 2.0]],
    ],
)
def test_points_are_checked(points):
    with pytest.raises((TypeError, ValueError), match="`points` must "):
        from_points(points, 1)


def test_the_dimensions_are_checked():
    with pytest.raises(ValueError, match="`dimensions` must be at least 1, got 0"):
        nearest_neighbors(5, 2, seed=0, dimensions=0)


def test_a_graph_that_can_never_be_connected_is_refused_with_the_remedy():
    words = (
        "`connected` must be possible, got 1000 graphs in pieces; ask for more edges"
    )
    with pytest.raises(ValueError, match=re.escape(words)):
        erdos_renyi(3, 0.0, seed=0, connected=True)
