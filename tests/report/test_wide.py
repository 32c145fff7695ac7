"""Values side by side: every score once, holes shown, wrong columns refused."""

import pytest
from report.synthetic import experiment, rows

from vicinal.report.tables import tables
from vicinal.report.wide import across

GRID = [
    {"name": "all: ReLU", "activation": "relu", "taps": [3, 5], "bias": [False, True]},
    {"name": "all", "activation": "max", "hops": 1, "taps": 5, "seeds": 1},
]


def table():
    def score(cell):
        return cell.model.taps / 10 + 0.01 * cell.model.bias

    small = experiment(grid=GRID, seeds=2)
    (found,) = tables(small, rows(small, score))
    return found


def test_the_other_columns_stay():
    assert across(table(), "taps").splitlines() == [
        "| model | bias | n | taps 3 | taps 5 |",
        "|---|---|---|---|---|",
        "| ReLU | no | 2 | 30.0 ± 0.0 | 50.0 ± 0.0 |",
        "| ReLU | yes | 2 | 31.0 ± 0.0 | 51.0 ± 0.0 |",
        "| 1-hop max | no | 1 | – | 50.0 |",
    ]


def test_other_metrics_are_written_with_the_digits_that_count():
    small = experiment(grid=[{"activation": "relu", "taps": [3, 5]}], seeds=3)
    given = rows(small, lambda cell: 0.123456 + 0.01 * cell.seed, metric="mse")
    (found,) = tables(small, given)
    assert "| 0.133 ± 0.0058 |" in across(found, "taps")


def test_a_setting_that_is_no_column_is_refused():
    with pytest.raises(ValueError, match=r"`across` must be a column of 'all', one of"):
        across(table(), "share")
