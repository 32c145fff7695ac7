"""Tables of movie ratings, from rows whose scores a test decides."""

import pytest
from report.rating_rows import made_rows

from vicinal.experiments import config
from vicinal.report.html import render
from vicinal.report.rating_results import best_split, collect
from vicinal.report.rating_tables import rating_tables
from vicinal.report.results import Index

SIDES = ("movies-users", "movies-items")


@pytest.fixture(scope="module")
def all_rows():
    return [one for name in SIDES for one in made_rows(name)]


@pytest.mark.parametrize("name", SIDES)
def test_tables_set_ours_beside_theirs(all_rows, name):
    experiment = config.find(name)
    found = collect(experiment, Index(all_rows))
    assert found.complete
    assert len(found.targets) == 20
    by_target, best, costs = rating_tables(experiment, found)
    published = experiment.published["rows"][0]["value"]
    assert by_target.rows[0][1] == f"1.0200 ± 0.0071 | {published:.4f}"
    assert [line[0] for line in by_target.rows[-4:]] == [
        f"mean of {n}" for n in (5, 10, 15, 20)
    ]
    assert "belong to no split" in by_target.note
    assert best.rows[0][1:3] == (
        "4",
        f"0.5400 | {experiment.published['best'][0]['local']:.4f}",
    )
    assert "selects on test ratings" in best.note
    lines = {line[0]: line for line in costs.rows}
    assert lines["ReLU"][4:6] == ("664", "90,000")
    assert lines["sRMGCNN"][4:6] == ("90,000", "90,000")


@pytest.mark.parametrize("name", SIDES)
def test_the_softmax_expectation_stands_beside_the_likeliest_class(all_rows, name):
    experiment = config.find(name)
    by_target, *_ = rating_tables(experiment, collect(experiment, Index(all_rows)))
    lines = [dict(zip(by_target.head, line, strict=True)) for line in by_target.rows]
    assert by_target.head[1:3] == ("ReLU: ours | paper", "ReLU, expected")
    assert lines[0]["ReLU, expected"] == "1.0100 ± 0.0071"
    assert lines[-1]["ReLU, expected"] == "1.0100 ± 0.0071"  # the mean of all targets
    assert lines[0]["1-hop median, expected"] == "0.8600 ± 0.0283"  # 0.04 apart
    assert "“expected” takes the mean" in by_target.note


def test_other_numbers_of_taps_are_other_systems(all_rows):
    found = collect(config.find("movies-users"), Index(all_rows))
    assert found.by_split("relu", [405])[2] == pytest.approx(1.02)
    for name, first in found.scores.items():
        assert sum(map(len, first.values())) == len(found.rows_of(name)) * (
            20 if "parts" in found.rows_of(name)[0].result else 1
        )  # no row is written over another


def test_the_best_split_is_that_of_the_largest_margin(all_rows):
    found = collect(config.find("movies-users"), Index(all_rows))
    assert best_split(found, 405) == 4  # max is ahead by 0.1 (1 + split)


def test_rows_about_some_targets(all_rows):
    found = collect(config.find("movies-users"), Index(all_rows))
    assert len(found.rows_of("relu", [405])) == 5  # its target is the default
    assert len(found.rows_of("relu", found.targets[:5])) == 25
    assert len(found.rows_of("srmgcnn", [405])) == 5


def test_the_page_shows_the_tables(all_rows):
    text = render(all_rows, list(SIDES))
    for title in ("Table III", "Table IV", "Table V", "Table VI"):
        assert f"{title}: " in text


def test_the_page_calls_nothing_alike_that_five_splits_cannot_tell(all_rows):
    text = render(all_rows, list(SIDES))
    assert "With 5 or fewer pairs an exact signed-rank test cannot reach 0.05" in text
    assert "left out: too few pairs" in text
    assert " alike, " not in text
