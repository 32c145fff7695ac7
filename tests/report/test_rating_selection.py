"""Tuned ratings: the epoch and the head are chosen on validation ratings."""

import pytest
from report.synthetic import experiment, row

from vicinal.experiments.config import blocks
from vicinal.report.gallery import gallery
from vicinal.report.results import Index, study
from vicinal.report.selection import references, selections, sentences
from vicinal.report.tables import section_table

TARGETS = [405, 655]
HEADS = {"classes": ("rmse_argmax", "rmse_expected"), "regression": ("rmse_clipped",)}
MATRIX = {"task": "movie-ratings", "model": "rating-biases", "targets": "users"}
TUNED = experiment(
    seeds=3,
    run={"task": "movies-users", "validated": True, "epochs": 3},
    quick={"seeds": 1, "epochs": 1},
    grid=[
        {
            "name": "Tuned: ReLU",
            "shows": "tuned",
            "target": TARGETS,
            "head": list(HEADS),
        },
        {
            "name": "Tuned: max",
            "shows": "tuned",
            "target": TARGETS,
            "head": list(HEADS),
            "activation": "max",
            "hops": 1,
        },
        {
            "name": "Tuned: biases",
            "shows": "tuned",
            **MATRIX,
            "validated": [False, True],
        },
    ],
)


def made_row(cell):
    """Regression is better on validation for ReLU, classes for the maximum.

    The second epoch has the lowest validation loss; last epochs look better on test.
    """
    if cell.name == "movie-ratings":
        one = row(cell, 0.97, metric="rmse_clipped", data="d")
        known = {"405": 1.2, "655": 0.8, "13": 1.0}
        one.result.update(curves={}, parts=known)
        return one
    head, local = cell.settings["head"], cell.model.activation == "max"
    good = (head == "classes") == local
    level = (1.0 if cell.settings["target"] == 405 else 0.7) + 0.01 * cell.seed
    best = level - 0.1 * local + (0.0 if good else 0.2)
    one = row(cell, best, metric=HEADS[head][0], data="d")
    valid = 0.5 if good else 0.6
    for name in HEADS[head]:
        kinds = {"last": 0.1, "last_mean": 0.1, "best": best}
        shift = 0.05 if name == "rmse_argmax" else 0.0
        one.result["scores"][name] = {k: v + shift for k, v in kinds.items()}
        one.result["curves"][f"valid_{name}"] = [9.0, valid, 0.1 if not good else 9.0]
    one.result["curves"]["valid_loss"] = [3.0, 1.0, 2.0]
    return one


@pytest.fixture(scope="module")
def section():
    cells = [cell for block in blocks(TUNED) for cell in block.cells]
    (found,) = study(TUNED, Index([made_row(cell) for cell in cells])).sections
    return found


def test_heads_compete_by_the_validation_rmse_of_the_best_epoch(section):
    found = {(line.data, line.kind): line for line in selections(section)}
    relu, local = found["user 405", "ReLU"], found["user 405", "max"]
    assert (relu.candidates, local.candidates) == (2, 2)
    assert relu.ours.mean == pytest.approx(1.01)
    assert local.ours.mean == pytest.approx(0.91)
    assert local.against["ReLU"].mean == pytest.approx(-0.1)


def test_means_over_targets_come_first(section):
    lines = selections(section)
    assert [line.data for line in lines if line.pooled] == ["mean of 2 users"] * 4
    relu = next(line for line in lines if line.kind == "ReLU")
    assert relu.pooled
    assert relu.ours.mean == pytest.approx(0.86)
    assert relu.ours.n == 3
    assert {line.data for line in lines[4:]} == {"user 405", "user 655"}


def test_what_completes_all_ratings_stands_beside_each_target(section):
    lines = selections(section)
    names = ["rating biases (validated no)", "rating biases (validated yes)"]
    assert references(lines) == ["ReLU", *names]
    found = {(line.data, line.kind): line.ours.mean for line in lines}
    assert found["user 405", names[0]] == pytest.approx(1.2)
    assert found["mean of 2 users", names[1]] == pytest.approx(1.0)


def test_sentences_are_about_the_means(section):
    found = sentences(selections(section))
    assert len(found) == 3
    assert found[0] == "mean of 2 users, against ReLU: ahead: max."


def test_the_figure_shows_what_was_chosen(section):
    (drawing,) = gallery(section, {}, selections(section))
    assert [title for title, _ in drawing.panels] == [
        "Mean of 2 users", "User 405", "User 655"
    ]  # fmt: skip
    assert "validation data prefers" in drawing.caption


def test_the_expectation_stands_beside_the_likeliest_class(section):
    table = section_table(section, {})
    assert table.has_expected
    first = next(line for line in table.lines if line.metric == "rmse_argmax")
    assert first.ours.mean == pytest.approx(0.15)
    assert first.expected == pytest.approx(0.1)
