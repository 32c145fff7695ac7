"""Tables by hand: means, what was printed, differences, Markdown."""

import math

import pytest
from report.synthetic import experiment, plausible, rows

from vicinal.report.results import Index, study
from vicinal.report.tables import markdown, section_table, tables

PRINTED = {
    "rows": [
        {"activation": "relu", "value": 0.7},
        {"activation": "max", "hops": 2, "value": 0.5},
    ]
}


def by_seed(cell):
    return 0.5 + 0.1 * cell.seed + (0.2 if cell.model.activation == "max" else 0.0)


def test_means_errors_and_differences_by_hand():
    small = experiment(published=PRINTED, seeds=3)
    (table,) = tables(small, rows(small, by_seed))
    relu, *others = table.lines
    assert (relu.model, relu.n, relu.planned) == ("ReLU", 3, 3)
    assert relu.ours.mean == pytest.approx(0.6)
    assert relu.ours.se == pytest.approx(0.1 / math.sqrt(3))
    assert relu.difference == pytest.approx(-0.1)
    printed = {line.model: line.difference for line in others}
    assert printed["2-hop max"] == pytest.approx(0.3)
    assert printed["1-hop max"] is None


def test_columns_are_what_tells_the_same_model_apart():
    grid = [{"activation": "relu", "layers": [1, 2], "bias": [False, True]}]
    small = experiment(grid=grid)
    (section,) = study(small, Index(rows(small, plausible))).sections
    table = section_table(section, {})
    assert table.columns == ("layers", "bias")
    assert [line.settings for line in table.lines][:2] == [("1", "no"), ("1", "yes")]


def test_markdown_has_a_row_for_each_line():
    small = experiment(published=PRINTED)
    (table,) = tables(small, rows(small, by_seed))
    lines = markdown(table).splitlines()
    assert len(lines) == 2 + len(table.lines)
    assert len({line.count("|") for line in lines}) == 1
    assert (
        "| ReLU | 4 | 65.0 ± 6.5 | [44.5, 85.5] | 65.0 | 65.0 | 70.0 | −5.0 |" in lines
    )


def test_only_what_is_asked_for_is_shown():
    small = experiment()
    (table,) = tables(small, rows(small, by_seed), {"activation": "max", "hops": 2})
    assert [line.model for line in table.lines] == ["2-hop max"]
    assert tables(small, rows(small, by_seed), {"taps": 77}) == []


def test_one_seed_has_no_interval():
    small = experiment(seeds=1)
    (table,) = tables(small, rows(small, by_seed))
    assert "| ReLU | 1 | 50.0 | – | 50.0 | 50.0 |" in markdown(table).splitlines()


def test_other_metrics_are_no_percentages():
    small = experiment(seeds=2)
    (table,) = tables(small, rows(small, by_seed, metric="mse"))
    assert "| 0.5500 ± 0.05000 |" in markdown(table)


def test_errors_come_with_deviation_and_best_run():
    best_runs = [{"activation": "relu", "value": 0.45, "note": "one of ten"}]
    small = experiment(published={"best_runs": best_runs}, seeds=3)
    (table,) = tables(small, rows(small, by_seed, metric="error"))
    relu, *others = table.lines
    assert table.has_runs
    assert not table.has_published
    assert relu.deviation == pytest.approx(0.1)
    assert relu.best_run == pytest.approx(0.5)
    assert relu.published_run == 0.45
    assert others[0].published_run is None
    assert "| 10.0 | 50.0 (paper 45.0) |" in markdown(table)


def test_accuracies_do_without():
    small = experiment()
    (table,) = tables(small, rows(small, by_seed))
    assert not table.has_runs
    assert "deviation" not in markdown(table)
