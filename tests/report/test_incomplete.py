"""Pages of what is there: parts of studies, runs that diverged or were not trained."""

import random
from functools import cache
from pathlib import Path

import pytest
from report.synthetic import experiment, plausible, rows

from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows
from vicinal.report.gallery import gallery
from vicinal.report.html import render
from vicinal.report.results import Index, study

RESULTS = Path(__file__).parents[2] / "results"


@cache
def committed():
    """The rows of this repository by configuration and seed."""
    return {(row.config_hash, row.seed): row for row in read_rows(RESULTS)}


@pytest.mark.parametrize("name", config.names())
def test_any_part_of_a_study_makes_a_page(name):
    cells = config.distinct(config.find(name))
    draw = random.Random(name)
    for count in (1, 3, 30):
        keys = ((c.config_hash, c.seed) for c in draw.sample(cells, count))
        part = [committed()[key] for key in keys if key in committed()]
        assert part or count == 1
        assert f'<section id="{name}"' in render(part, [name])


def test_movies_of_targets_beyond_the_first_make_a_page():
    part = [row for row in committed().values() if row.settings.get("target") == 303]
    assert part
    page = render(part, ["movies-users"])
    assert "Every system on all splits" in page


def losses(change):
    """The drawings of two networks' losses, of runs that a test changes."""
    grid = {"name": "losses", "activation": ["relu", "identity"], "shows": "losses"}
    own = experiment(grid=[grid])
    given = rows(own, plausible)
    for row in given:
        change(row.result)
    (section,) = study(own, Index(given)).sections
    return gallery(section, {})


@pytest.mark.parametrize("lost", [float("inf"), float("nan")])
def test_losses_that_diverged_are_drawn_as_far_as_they_go(lost):
    def diverge(result):
        length = len(result["curves"]["train_loss"])
        later = [lost] * (length - 2)
        result["curves"] = {"train_loss": [1.0, 0.5, *later], "valid_loss": []}

    (drawing,) = losses(diverge)
    assert [title for title, _ in drawing.panels] == ["ReLU", "identity"]
    assert all("<path" in svg for _, svg in drawing.panels)


def test_runs_without_losses_have_no_figure():
    assert losses(lambda result: result.update(curves={})) == []
