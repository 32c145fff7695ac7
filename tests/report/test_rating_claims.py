"""Claims about movie ratings, from rows whose scores a test decides."""

import math
import re

import pytest
from report.rating_rows import made_rows

from vicinal.experiments import config
from vicinal.report.claims import CONFIRMED, NOT_CONFIRMED, NOT_RUN, claims, verdicts
from vicinal.report.html import render
from vicinal.report.rating_costs import best
from vicinal.report.rating_results import collect
from vicinal.report.rating_tables import filter_names
from vicinal.report.results import Index

SIDES = ("movies-users", "movies-items")


def judged(rows):
    about = [claim for claim in claims() if claim.id.startswith("C")]
    return {v.claim.id: v for v in verdicts(Index(rows), about)}


@pytest.fixture(scope="module")
def all_rows():
    return [one for name in SIDES for one in made_rows(name)]


@pytest.fixture(scope="module")
def papers():
    """Rows that have, on every split, what Tables IV and VI print."""
    made = []
    for name in SIDES:
        printed = {r["target"]: r for r in config.find(name).published["best"]}

        def score(cell, printed=printed):
            known = printed.get(cell.settings["target"], {"local": 1.0})
            behind = {"max": 0.0, "median": 0.01}.get(cell.model.activation, 0.1)
            return known["local"] + behind

        def rival(cell, target, printed=printed):
            kind = "srmgcnn" if cell.model.model == "srmgcnn" else "filters"
            return printed.get(target, {kind: 1.0})[kind]

        made += made_rows(name, score, rival)
    return made


def test_claims_follow_from_the_rows(all_rows):
    found = judged(all_rows)
    assert {found[name].word for name in ("C5", "C6", "C7")} == {CONFIRMED}
    assert len(found["C1"].parts) == 8
    assert len(found["C2"].parts) == 20
    assert all("1-hop max" in part.name for part in found["C2"].parts)
    assert found["C8"].word != CONFIRMED  # seconds are alike, parameters are not


def test_the_papers_own_numbers_confirm_its_counts(papers):
    found = judged(papers)
    assert [(p.ahead, p.n, p.claimed) for p in found["C5"].parts] == [(5, 5, 5)] * 2
    assert [(p.ahead, p.n) for p in found["C6"].parts] == [(4, 5), (3, 5)]
    assert {found[name].word for name in ("C5", "C6")} == {CONFIRMED}
    assert all(math.isnan(found[name].p) for name in ("C5", "C6"))


def test_one_target_fewer_is_not_confirmed():
    def lost(cell, target):
        return 0.1 if target == 405 else 2.0

    users, items = made_rows("movies-users", rival=lost), made_rows("movies-items")
    found = judged([*users, *items])["C5"]
    assert [(p.ahead, p.behind) for p in found.parts] == [(4, 1), (5, 0)]
    assert found.word == NOT_CONFIRMED
    assert found.deciding is found.parts[0]


def test_the_page_says_that_a_count_has_no_interval(papers):
    text = render(papers, ["movies-users"])
    line = re.search(r'data-claim="C6".*?</tr>', text, re.DOTALL)[0]
    assert "4 of 5 <small>at least 4 claimed</small>" in line
    assert "3 of 5 <small>at least 3 claimed</small>" in line
    assert "no interval and no p-value belong to a count" in text


def test_costs_are_those_of_the_best_filter_and_of_the_same_targets():
    def rival(cell, target):
        return 1.5 + 0.1 * (cell.model.taps - 2) ** 2  # two taps are best

    rows = made_rows("movies-users", rival=rival)
    for row in rows:  # a network of a later target takes long
        late = row.settings.get("target", 405) not in (405, 655, 13, 450, 276)
        row.result["seconds"] = 1000.0 if late else 2.0
    found = collect(config.find("movies-users"), Index(rows))
    assert best(found, filter_names(found)) == "user-filter 2"
    parts = {p.name: p for p in judged([*rows, *made_rows("movies-items")])["C8"].parts}
    where = "user-filter 2 \N{MINUS SIGN} 1-hop max, users"  # the better of the two
    assert parts[f"seconds to train: {where}"].difference.mean == 0.0
    assert parts[f"ratings fitted to: {where}"].difference.mean == 90_000 - 664
    assert parts[f"ratings read: {where}"].difference.mean == 0.0
    assert parts[f"RMSE: {where}"].n == 5  # splits, as of every other part


def test_the_rule_says_what_is_compared():
    rule = next(claim.rule for claim in claims() if claim.id == "C8")
    for told in ("one target", "whole matrix", "look an entry up", "graph and signals"):
        assert told in rule


def test_a_missing_row_leaves_claims_open(all_rows):
    lost = next(row for row in all_rows if row.settings.get("activation") == "median")
    assert judged([row for row in all_rows if row is not lost])["C5"].word == NOT_RUN
