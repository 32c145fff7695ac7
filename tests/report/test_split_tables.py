"""Splits side by side: each score in its place, means of all five."""

from report.synthetic import row

from vicinal.experiments import config
from vicinal.report.cost_texts import HEAD
from vicinal.report.page import page
from vicinal.report.results import Index, study
from vicinal.report.split_tables import split_table

AHEAD = {"relu": 0.0, "identity": 0.0, "mean": 0.0, "max": 0.01, "median": 0.02}


def made_rows(leave_out=""):
    experiment = config.find("movies-global")
    found = []
    for block in config.blocks(experiment):
        for cell in block.cells:
            split = cell.settings["split"]
            score = 0.9 + int(split[1]) / 100 - AHEAD[cell.model.activation]
            one = row(cell, score, metric="rmse_clipped", data="d")
            seen = 72_000 if cell.settings["validated"] else 80_000
            one.result["data_facts"] = {"train": seen, "test": 20_000}
            if split != leave_out:
                found.append(one)
    return found


def table(rows):
    return split_table(study(config.find("movies-global"), Index(rows)).sections)


def test_a_line_has_a_score_for_each_split_and_their_mean():
    lines = {line[:2]: line[2:8] for line in table(made_rows()).rows}
    relu = lines["one GNN for all, ReLU", "72,000"]
    assert relu == ("0.9100", "0.9200", "0.9300", "0.9400", "0.9500", "0.9300")
    assert lines["one GNN for all, 1-hop median", "72,000"][-1] == "0.9100"
    assert lines["rating biases", "80,000"] == lines["rating biases", "72,000"]
    assert ("user filter, taps 3", "80,000") in lines
    only_first = lines["sRMGCNN", "80,000"]
    assert only_first == ("0.9100", "–", "–", "–", "–", "–")


def test_no_mean_without_all_splits():
    lines = table(made_rows(leave_out="u4")).rows
    assert all(line[5] == line[7] == "–" for line in lines)


def test_costs_stand_beside_the_scores():
    made = made_rows()
    means = [one for one in made if one.settings["model"] == "user-mean"]
    for number, one in enumerate(means):
        more = {"seconds": 1.0 + number % 5, "predict_seconds": 0.002}
        one.result.update(more, parameters={"total": 1943})
    shown = table(made)
    assert shown.head[-3:] == HEAD[1:]
    lines = {line[:2]: line[-3:] for line in shown.rows}
    assert lines["user mean", "80,000"] == ("1,943", "3", "0.002")


def test_the_page_shows_it():
    few = [r for r in made_rows() if r.settings["model"] == "user-mean"]
    (view,) = page(few, ["movies-global"]).studies
    assert [extra.title for extra in view.extras] == [table(few).title]
