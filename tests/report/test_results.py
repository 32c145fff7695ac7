"""Rows find the studies that planned them, whatever else is in the store."""

from dataclasses import replace

import pytest
from report.synthetic import experiment, plausible, row, rows

from vicinal.experiments.cell import RESULTS_VERSION, make_cell
from vicinal.experiments.config import blocks
from vicinal.report.results import Index, plan, studies, study


def test_blocks_that_agree_up_to_a_colon_are_one_section():
    small = experiment()
    found = study(small, Index(rows(small, plausible)))
    assert [section.name for section in found.sections] == ["hops"]
    assert len(found.sections[0].groups) == 7
    assert (found.found, found.planned, found.quick) == (28, 28, False)


def test_what_is_missing_is_counted():
    small = experiment()
    given = rows(small, plausible)
    found = study(small, Index(given[:-5]))
    assert (found.found, found.planned) == (23, 28)
    assert min(len(group.rows) for group in found.sections[0].groups) < 4


def test_foreign_rows_are_left_out():
    small = experiment()
    other = make_cell({"task": "source-localization", "taps": 9}, 0, "here")
    found = study(small, Index([*rows(small, plausible), row(other, 0.1)]))
    assert all(r.settings.get("taps") != 9 for r in found.rows)


def test_rows_of_another_results_version_are_left_out():
    small = experiment()
    old = [replace(r, version=RESULTS_VERSION + 1) for r in rows(small, plausible)]
    found = study(small, Index(old))
    assert (found.found, found.sections) == (0, ())


def test_of_two_versions_of_the_data_the_frequent_one_is_kept():
    small = experiment()
    new = rows(small, lambda cell: 0.9, data="new")
    old = rows(small, lambda cell: 0.1, data="old")[:-1]
    found = study(small, Index([*old, *new]))
    assert {r.data for r in found.rows} == {"new"}


def test_what_reads_other_files_keeps_its_rows():
    grid = [{"taps": [4, 5]}, {"density": 0.3}]
    small = experiment(grid=grid)
    given = [
        replace(one, data=f"files of {one.settings.get('density', 0)}")
        for one in rows(small, plausible)
    ]
    assert len(Index(given).group({"task": "source-localization"}).rows) == 4
    assert study(small, Index(given)).found == 12


@pytest.mark.parametrize(("full", "quick"), [(0, True), (28, False), (2, True)])
def test_the_form_of_which_more_was_run_is_shown(full, quick):
    small = experiment()
    given = rows(small, plausible)[:full] + rows(small, plausible, quick=True)
    assert study(small, Index(given)).quick is quick


@pytest.mark.parametrize(("full", "quick"), [(0, True), (8, False)])
def test_rows_beyond_a_quick_form_that_is_part_of_the_full_one_count(full, quick):
    small = experiment(quick={"seeds": 2})
    given = rows(small, plausible, quick=True)
    later = [row for row in rows(small, plausible) if row.seed >= 2]
    assert study(small, Index(given + later[:full])).quick is quick


def test_the_same_cell_in_two_blocks_has_all_seeds_planned():
    grid = [{"activation": "relu"}, {"activation": "relu", "seeds": 9}]
    (seeds,) = plan(blocks(experiment(grid=grid))).values()
    assert seeds == set(range(9))


def test_configurations_of_the_same_data_stand_together():
    grid = [
        {"graph": ["erdos-renyi", "geometric"], "activation": name}
        for name in ("relu", "identity")
    ]
    named = [block | {"name": f"all: {place}"} for place, block in enumerate(grid)]
    small = experiment(grid=named)
    (section,) = study(small, Index(rows(small, plausible))).sections
    graphs = [group.settings["graph"] for group in section.groups]
    assert graphs == ["erdos-renyi"] * 2 + ["geometric"] * 2


def test_a_kind_of_score_that_a_row_lacks_is_left_out():
    cell = make_cell({"task": "source-localization"}, 0, "here")
    given = row(cell, 0.5)
    del given.result["scores"]["accuracy"]["best"]
    group = Index([given]).group({"task": "source-localization"})
    assert group.scores("best") == {}
    assert group.scores() == {0: 0.5}


def two_that_share():
    """One with ReLU and maxima, one with ReLU and tanh; ReLU alone is of both."""
    grids = ({"activation": ["relu", name], "name": "a"} for name in ("max", "tanh"))
    run = {"task": "source-localization"}
    return [
        experiment(name=name, run=run, grid=[grid])
        for name, grid in zip(("one", "other"), grids, strict=True)
    ]


def test_a_part_that_a_more_complete_study_explains_was_not_run():
    one, other = two_that_share()
    given = rows(one, plausible)
    first, second = studies([one, other], Index(given))
    assert (first.found, second.found, second.sections) == (8, 0, ())
    own = [row for row in rows(other, plausible) if "activation" in row.settings][:1]
    first, second = studies([one, other], Index([*given, *own]))
    assert (first.found, second.found) == (8, 5)


def test_a_complete_study_is_shown_whatever_it_shares():
    _, other = two_that_share()
    relu = experiment(name="relu", run=other.run, grid=[{"activation": "relu"}])
    first, second = studies([relu, other], Index(rows(other, plausible)))
    assert (first.found, second.found) == (4, 8)
    first, second = studies([relu, other], Index(rows(relu, plausible)))
    assert (first.found, second.found) == (4, 0)


def test_rows_of_another_metric_are_left_out_of_the_scores():
    small = experiment(grid=[{"activation": "relu"}])
    given = rows(small, lambda cell: 0.5)
    given[1] = rows(small, lambda cell: 0.5, metric="error")[1]
    (group,) = study(small, Index(given)).sections[0].groups
    assert group.scores().keys() == {0, 2, 3}
