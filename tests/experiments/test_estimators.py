"""Baselines adapted to tasks, scored like networks."""

import pytest
import torch

from vicinal.experiments.cell import make_cell
from vicinal.experiments.estimators import ESTIMATORS
from vicinal.experiments.run import run_cell

LOCALIZATION = {
    "task": "source-localization",
    "graph": "geometric",
    "samples": [300, 60, 100],
}
DENOISING = {
    "task": "denoising",
    "graph": "grid",
    "samples": [300, 50, 100],
    "noise": "impulsive",
    "share": 0.1,
    "outlier_size": 5,
}


def score(base, **settings):
    scores = run_cell(make_cell(base | settings, 0, "test")).result["scores"]
    return next(iter(scores.values()))["last"]


LOCALIZING = [
    "amplitude",
    "bayes",
    "constant",
    "logistic-regression",
    "median-filter",
    "median-ridge",
    "nearest-neighbor",
]


def test_the_baselines_of_localisation_are_known():
    assert set(LOCALIZING) <= set(ESTIMATORS)


@pytest.mark.parametrize("model", LOCALIZING)
def test_all_of_them_localise_and_none_beats_bayes(model):
    noise = {"noise": "impulsive", "share": 0.1}
    best = score(LOCALIZATION, model="bayes", **noise)
    assert score(LOCALIZATION, model=model, **noise) <= best
    assert best > 0.95
    if model != "constant":
        assert score(LOCALIZATION, model=model) > 0.3


@pytest.mark.parametrize("noise", ["none", "white"])
def test_bayes_knows_the_generator_behind_clipping(noise):
    settings = {"model": "bayes", "noise": noise, "snr": 5}
    plain = score(LOCALIZATION, **settings)
    conditioned = score(LOCALIZATION, **settings, clip=True, input_scale="rms")
    assert plain == conditioned
    assert plain >= score(LOCALIZATION, **settings | {"model": "nearest-neighbor"})


def test_bayes_at_held_out_times():
    assert score(LOCALIZATION, model="bayes", held_out=[3, 6]) == 1.0


def test_medians_clean_better_than_the_mean_signal():
    medians = score(DENOISING, model="median-filter")
    ridge = score(DENOISING, model="median-ridge")
    assert ridge < medians < score(DENOISING, model="constant")


@pytest.mark.parametrize("model", ["bayes", "amplitude", "logistic-regression"])
def test_classifiers_refuse_to_denoise(model):
    told = "`task` must (ask for classes|be one of) .* got 'denoising'"
    with pytest.raises(ValueError, match=told):
        score(DENOISING, model=model)


def test_bayes_refuses_heavy_tails():
    with pytest.raises(ValueError, match=r"`noise` must be .* got 'heavy-tailed'"):
        score(LOCALIZATION, model="bayes", noise="heavy-tailed")


def test_a_penalty_is_not_chosen_without_validation_signals():
    with pytest.raises(ValueError, match=r"`samples` must hold validation signals"):
        score(LOCALIZATION, model="median-ridge", samples=[30, 0, 10])


def test_the_same_cell_gives_the_same_row():
    cell = make_cell(
        DENOISING | {"activation": "median", "hops": 1, "epochs": 2}, 3, "t"
    )
    one, two = (run_cell(cell).result["curves"] for _ in range(2))
    assert one == two


def test_a_cell_leaves_torch_as_it_was():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    cell = make_cell(DENOISING | {"epochs": 1, "precision": "float64"}, 3, "t")
    try:
        run_cell(cell)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert torch.get_default_dtype() == torch.float32
