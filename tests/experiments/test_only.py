"""What `--only` leaves."""

import pytest
from report.synthetic import experiment

from vicinal.experiments.config import blocks
from vicinal.experiments.only import pick, select


def test_cells_are_selected_by_what_they_set():
    given = {"seeds": [3, 5], "activation": ["max", "median"], "hops": [1, 2]}
    (local,) = blocks(experiment(grid=[given]))
    chosen = select(local.cells, {"activation": "median", "hops": 1, "seed": 3})
    assert [(c.model.activation, c.model.hops, c.seed) for c in chosen] == [
        ("median", 1, 3)
    ]
    with pytest.raises(ValueError, match="`--only` must name settings of the cells"):
        select(local.cells, {"hopps": 1})


def test_numbers_are_selected_by_value_and_foreign_cells_left_out():
    given = [("a", {"size": 5.0}), ("b", {"size": 3}), ("c", {"graph": "grid"})]
    assert pick(given, {"size": 5}) == ["a"]
    assert pick(given, {"graph": "grid"}) == ["c"]
