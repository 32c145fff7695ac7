"""Source localisation: paired draws, held-out times, parts, bad settings."""

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from vicinal.datasets.source_localization import Settings, draw, load, observed

SMALL = (60, 20, 20)


def settings(**given):
    return Settings(**({"samples": SMALL} | given))


def test_the_defaults_are_the_papers_sizes():
    given = Settings()
    assert (given.num_nodes, given.sources, given.samples) == (
        100,
        10,
        (10_000, 200, 200),
    )
    assert given.times == (1, 10)
    assert given.noise == "none"


@pytest.mark.parametrize(
    "corruption",
    [
        {"noise": "white", "snr": 0},
        {"noise": "impulsive", "share": 0.3, "outlier_size": 30},
        {"noise": "heavy-tailed"},
        {"clip": True, "input_scale": "rms"},
        {"noise": "impulsive", "corrupted": "test"},
    ],
)
def test_the_same_seed_draws_the_same_whatever_the_corruption(corruption):
    plain, noisy = draw(settings(), 5), draw(settings(**corruption), 5)
    assert plain.graph == noisy.graph
    for name in ("sources", "labels", "times", "impulses"):
        assert getattr(plain, name).equal(getattr(noisy, name)), name
    assert not load(settings(**corruption), 5).x.equal(load(settings(), 5).x)


def test_signals_are_powers_of_the_scaled_adjacency():
    drawn = draw(settings(), 2)
    dense = drawn.graph.to_dense().double().numpy()
    step = dense / np.abs(np.linalg.eigvalsh(dense)).max()
    for row in (0, 33, 99):
        impulse = np.eye(100)[int(drawn.sources[drawn.labels[row]])]
        expected = np.linalg.matrix_power(step, int(drawn.times[row])) @ impulse
        np.testing.assert_allclose(drawn.clean[row].numpy(), expected, atol=1e-12)


def test_labels_and_times_are_uniform_and_sources_distinct():
    drawn = draw(Settings(), 0)
    assert len(drawn.sources.unique()) == 10
    for values, low in ((drawn.labels, 0), (drawn.times, 1)):
        counts = torch.bincount(values - low)
        assert len(counts) == 10
        assert counts.min() > 900
        assert counts.max() < 1200


def test_at_time_zero_the_source_is_where_the_signal_is():
    drawn = draw(settings(times=(0, 0)), 0)
    assert drawn.clean.argmax(1).equal(drawn.sources[drawn.labels])


def test_held_out_times_are_those_of_the_test_part_alone():
    drawn = draw(settings(held_out=(3, 6, 9), samples=(500, 100, 100)), 0)
    train, valid, test = (set(drawn.times[rows].tolist()) for rows in drawn.parts)
    assert train == valid == {1, 2, 4, 5, 7, 8, 10}
    assert test == {3, 6, 9}


def test_corruption_of_the_test_part_alone():
    given = settings(noise="white", corrupted="test")
    drawn = draw(given, 1)
    seen = observed(drawn, given, 1)
    assert seen[:80].equal(drawn.clean[:80])
    assert not seen[80:].equal(drawn.clean[80:])


def test_the_same_seed_gives_the_same_bits():
    given = settings(graph="geometric", noise="impulsive", clip=True)
    one, two, other = load(given, 3), load(given, 3), load(given, 4)
    assert one.x.equal(two.x)
    assert one.graph == two.graph
    assert not one.x.equal(other.x)


def test_a_task_says_what_it_is():
    task = load(settings(graph="grid", sources=20), 0)
    assert task.x.shape == (100, 100, 1)
    assert (task.num_outputs, task.loss, task.readout) == (
        20,
        "cross_entropy",
        "signal",
    )
    assert dict(task.facts)["mean_degree"] == pytest.approx(3.6)
    assert list(map(len, (task.train, task.valid, task.test))) == [60, 20, 20]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"sources": 101}, "sources"),
        ({"sources": 1}, "sources"),
        ({"times": (5, 2)}, "times"),
        ({"times": (-1, 2)}, "times"),
        ({"held_out": (11,)}, "held_out"),
        ({"held_out": (3, 3)}, "held_out"),
        ({"times": (1, 2), "held_out": (1, 2)}, "held_out"),
        ({"samples": (0, 10, 10)}, "samples"),
        ({"samples": (10, 10, 0)}, "samples"),
        ({"sauces": 3}, "sauces"),
    ],
)
def test_bad_settings_are_refused_by_name(given, named):
    with pytest.raises(ValidationError, match=named):
        Settings(**given)
