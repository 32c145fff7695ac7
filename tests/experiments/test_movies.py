"""The movie experiments: what the paper set, what it printed, systems that answer."""

from statistics import fmean

import pytest
import torch
from datasets.made_up_ratings import made_up_ratings

from vicinal.datasets import movie_matrix, movies
from vicinal.experiments import config, estimators, models
from vicinal.experiments.cell import make_cell
from vicinal.experiments.rating_estimators import RATING_ESTIMATORS

NAMES = ("movies-users", "movies-items")


def cells(name):
    return [c for block in config.blocks(config.find(name)) for c in block.cells]


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_cells_are_those_of_the_paper(name):
    own = [
        cell for cell in cells(name) if cell.name == name and cell.model.model == "gnn"
    ]
    assert len(own) == 20 * 5 * 4 + 5 * 5 * 2  # and two controls of the first five
    assert len({cell.settings["target"] for cell in own}) == 20
    for cell in own:
        assert (cell.training.epochs, cell.training.batch) == (40, 5)
        assert (cell.training.learning_rate, cell.model.dropout) == (0.005, 0)
        assert (cell.model.hidden, cell.model.layers) == (32, 1)
        assert cell.model.taps == 5 or cell.model.activation == "relu"
        assert cell.model.shared
        assert not cell.model.bias


@pytest.mark.parametrize(
    ("name", "nodes", "readout"),
    [("movies-users", 943, 150_885), ("movies-items", 1682, 269_125)],
)
def test_parameters_are_counted_as_in_the_paper(name, nodes, readout):
    kind = movies.UserSettings if name == "movies-users" else movies.MovieSettings
    side = "users" if name == "movies-users" else "movies"
    task = movies.make_task(made_up_ratings(), kind(target=1), side, 0)
    for activation, convolution in (("relu", 160), ("max", 162), ("median", 162)):
        cell = next(c for c in cells(name) if c.model.activation == activation)
        counts = models.parameter_counts(models.build(cell.model, task))
        assert counts["convolution"] == convolution
        assert counts["readout"] == 32 * 5 * task.graph.num_nodes + 5
    assert 32 * 5 * nodes + 5 == readout


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_first_means_are_those_of_its_rows(name):
    published = config.find(name).published
    printed = published["means"][0]
    for activation in ("relu", "max", "median"):
        rows = [r for r in published["rows"] if r["activation"] == activation]
        assert len(rows) == printed["first"] == 5
        mean = fmean(row["value"] for row in rows)
        assert mean == pytest.approx(printed[activation], abs=1e-4)


def test_variants_change_one_choice_each():
    usual = {cell.config_hash: cell for cell in cells("movies-users")}
    (decided, *others) = config.blocks(config.find("movies-variants"))
    assert {cell.config_hash for cell in decided.cells} <= usual.keys()
    changed = []
    for block in others:
        for cell in block.cells:
            same = next(
                known.settings
                for known in decided.cells
                if known.settings["target"] == cell.settings["target"]
                and known.model.activation == cell.model.activation
            )
            (found,) = cell.settings.items() - same.items()
            changed.append(found)
    counts = {found: changed.count(found) for found in changed}
    choices = {("common", 2), ("common", 20), ("signed", True), ("visible", "all")}
    each = 5 * 2 * 5  # users, models, splits
    assert counts == dict.fromkeys(choices, each) | {("scaled", False): 2}


def test_one_network_is_run_on_every_published_split():
    own = [c for c in cells("movies-global") if c.model.model == "rating-gnn"]
    assert len(own) == 25
    assert {c.settings["split"] for c in own} == {f"u{fold}" for fold in range(1, 6)}
    activations = {(c.model.activation, c.model.hops) for c in own}
    local = {("mean", 1), ("max", 1), ("median", 1)}
    assert activations == {("relu", 0), ("identity", 0)} | local
    assert len({c.training.model_dump_json() for c in own}) == 1
    assert all(c.settings["validated"] for c in own)


@pytest.mark.parametrize("model", sorted(RATING_ESTIMATORS))
def test_every_system_answers_for_every_target(model):
    settings = {"task": "movie-ratings", "model": model, "taps": 2, "epochs": 21}
    settings |= {"network": "similar", "hidden": 3, "validated": model == "rating-gnn"}
    cell = make_cell(settings, 0, "here")
    task = movie_matrix.make_task(made_up_ratings(), cell.task, 0)
    result = estimators.estimate(cell, task)
    assert result["parts"].keys() == {name for name, _ in task.parts}
    assert len(result["parts"]) == 20
    assert 0 < result["scores"]["rmse_clipped"]["last"] < 2.5
    assert result["predict_seconds"] > 0


def test_answers_do_not_depend_on_test_ratings():
    ratings = made_up_ratings()
    settings = movie_matrix.Settings(network="similar", validated=True)
    task = movie_matrix.make_task(ratings, settings, 0)
    stars = ratings.stars.copy()
    stars[task.test.numpy()] = 6 - stars[task.test.numpy()]
    changed = type(ratings)(
        ratings.users, ratings.movies, stars, ratings.num_users, ratings.num_movies
    )
    other = movie_matrix.make_task(changed, settings, 0)
    for name, answer in RATING_ESTIMATORS.items():
        flat = {"task": "movie-ratings", "model": name, "taps": 2, "epochs": 11}
        flat |= {"network": "similar", "hidden": 3, "validated": True}
        cell = make_cell(flat, 0, "here")
        outputs = [answer(cell, given).output for given in (task, other)]
        assert torch.equal(*outputs), name


def test_biases_beat_means():
    task = movie_matrix.make_task(made_up_ratings(), movie_matrix.Settings(), 0)
    found = {}
    for model in ("global-mean", "rating-neighbors"):
        cell = make_cell({"task": "movie-ratings", "model": model}, 0, "here")
        scores = estimators.estimate(cell, task)["scores"]
        found[model] = scores["rmse_clipped"]["last"]
    assert found["rating-neighbors"] < found["global-mean"]


def test_a_system_for_matrices_refuses_other_tasks():
    flat = {"task": "source-localization", "model": "rating-biases"}
    cell = make_cell(flat, 0, "here")
    task = movies.make_task(
        made_up_ratings(), movies.UserSettings(target=1), "users", 0
    )
    with pytest.raises(ValueError, match="`task` must be 'movie-ratings' for"):
        estimators.estimate(cell, task)


def test_srmgcnn_needs_networks_of_users_and_movies():
    cell = make_cell({"task": "movie-ratings", "model": "srmgcnn"}, 0, "here")
    task = movie_matrix.make_task(made_up_ratings(), movie_matrix.Settings(), 0)
    with pytest.raises(ValueError, match="`network` must be 'features' or 'similar'"):
        estimators.estimate(cell, task)
