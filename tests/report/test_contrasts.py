"""Differences written as data become the numbers a hand would compute."""

import pytest
from report.synthetic import experiment, rows

from vicinal.experiments.config import blocks
from vicinal.report.contrast_names import contrast_name
from vicinal.report.contrasts import Difference, Planned, expand, values
from vicinal.report.results import Index, plan

SMALL = experiment(seeds=3)
PLANNED = Planned(SMALL, plan(blocks(SMALL)))
BASE = {"relu": 0.5, "max": 0.6, "median": 0.7}


def score(cell):
    return BASE[cell.model.activation] + 0.01 * cell.model.hops * cell.seed


INDEX = Index(rows(SMALL, score))


def values_of(**rule):
    (contrast,) = expand(Difference(**rule))
    return values(contrast, PLANNED, INDEX)


def test_means_and_doubles_are_told():
    small, large, most = ({"density": density} for density in (0.2, 0.6, 0.9))
    assert contrast_name((small, large), (most, most), 0.5) == (
        "mean of [ReLU, density 0.2 + ReLU, density 0.6] \N{MINUS SIGN} "
        "ReLU, density 0.9"
    )
    assert contrast_name((small, large), (most, most)).endswith("2 × ReLU, density 0.9")


def test_a_difference_by_hand():
    found = values_of(
        plus=[{"activation": "max", "hops": 2}], minus=[{"activation": "relu"}]
    )
    assert found == pytest.approx([0.1, 0.12, 0.14])


def test_a_difference_of_differences():
    plus = [{"activation": "max", "hops": 1}, {"activation": "median", "hops": 1}]
    minus = [{"activation": "relu"}, {"activation": "max", "hops": 3}]
    assert values_of(plus=plus, minus=minus) == pytest.approx([0.2, 0.19, 0.18])


def test_a_mean_of_two():
    plus = [{"activation": "max", "hops": 1}, {"activation": "median", "hops": 1}]
    minus = [{"activation": "relu"}] * 2
    found = values_of(plus=plus, minus=minus, scale=0.5)
    assert found == pytest.approx([0.15, 0.16, 0.17])


def test_a_spread_is_the_distance_from_the_median():
    plus, minus = [{"activation": "max", "hops": 3}], [{"activation": "relu"}]
    found = values_of(plus=plus, minus=minus, spread=True)
    assert found == pytest.approx([0.03, 0.0, 0.03])


def test_how_much_nearer_than_said():
    plus, minus = [{"activation": "max", "hops": 2}], [{"activation": "relu"}]
    for sides in ({"plus": plus, "minus": minus}, {"plus": minus, "minus": plus}):
        assert values_of(**sides, within=0.12) == pytest.approx([0.02, 0.0, -0.02])


def test_epochs_of_a_curve():
    def epochs(first, last):
        return [
            {
                "activation": "relu",
                "read": {"curve": "valid_loss", "epochs": [first, last]},
            }
        ]

    found = values_of(plus=epochs(1, 2), minus=epochs(3, 3))
    assert found == pytest.approx([3 * (1 + 0.9) / 2 - 3 * 0.81] * 3)


def test_a_curve_that_is_too_short_gives_no_number():
    late = [{"activation": "relu", "read": {"curve": "valid_loss", "epochs": [90, 99]}}]
    assert all(value != value for value in values_of(plus=late, minus=late))


def test_each_is_a_product():
    rule = Difference(
        each={
            "k": [1, 2],
            "name": ["max", "median"],
            "step": [[1, 2]],
            "other": [{"activation": "relu", "hops": 0}],
        },
        plus=[{"activation": "$name", "hops": "$k", "taps": "$step.1"}],
        minus=[{"cell": "$other"}],
    )
    found = expand(rule)
    assert len(found) == 4
    assert found[1].plus == ({"activation": "median", "hops": 1, "taps": 2},)
    assert found[1].minus == ({"activation": "relu", "hops": 0},)


def test_seeds_that_one_side_lacks_are_left_out():
    grid = [{"activation": "relu"}, {"activation": "max", "hops": 1, "seeds": 2}]
    study = experiment(grid=grid)
    (contrast,) = expand(
        Difference(
            plus=[{"activation": "max", "hops": 1}], minus=[{"activation": "relu"}]
        )
    )
    found = values(
        contrast, Planned(study, plan(blocks(study))), Index(rows(study, score))
    )
    assert len(found) == 2


def test_a_cell_outside_the_plan_has_no_value():
    assert values_of(plus=[{"taps": 9}], minus=[{"activation": "relu"}]) is None


@pytest.mark.parametrize(
    ("plus", "minus", "name"),
    [
        (
            {"graph": "geometric", "activation": "max", "hops": 2},
            {"graph": "geometric", "activation": "relu"},
            "2-hop max − ReLU (geometric)",
        ),
        (
            {"graph": "erdos-renyi", "density": 0.7, "activation": "max", "hops": 1},
            {"graph": "erdos-renyi", "density": 0, "activation": "max", "hops": 1},
            "1-hop max, density 0.7 − 1-hop max, density 0.4 (Erdős–Rényi)",
        ),
    ],
)
def test_differences_have_names(plus, minus, name):
    (contrast,) = expand(Difference(plus=[plus], minus=[minus]))
    assert contrast.name == name


def test_a_fact_of_the_data_less_what_was_printed():
    fact = {"activation": "relu", "read": {"fact": "mean degree"}}
    printed = {"activation": "relu", "read": {"value": 39.0}}
    found = values_of(plus=[fact], minus=[printed])
    assert found == pytest.approx([0.6, 0.6, 0.6])
    (contrast,) = expand(Difference(plus=[fact], minus=[printed]))
    assert contrast.name == "ReLU, mean degree \N{MINUS SIGN} ReLU, printed 39"
