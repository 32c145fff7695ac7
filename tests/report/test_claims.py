"""Every kind of verdict from intervals made by hand; the list of the claims."""

import math
from dataclasses import replace

import pytest
from report.synthetic import plausible, rows

from vicinal.experiments import config
from vicinal.experiments.statistics import Summary, summarize
from vicinal.report.claim_parts import Count
from vicinal.report.claims import (
    CONFIRMED,
    CONTRADICTED,
    NOT_CONFIRMED,
    NOT_RUN,
    OPPOSITE,
    UNTESTABLE,
    Claim,
    Part,
    Verdict,
    claims,
    corrected,
    judge,
    verdicts,
)
from vicinal.report.contrasts import Planned, expand
from vicinal.report.results import Index, plan

IDS = [
    "A1",
    "A2",
    "A3",
    "A4",
    "A5",
    "A6",
    "A7",
    "A8",
    "A9",
    "A10",
    "A11",
    "A12",
    "A13",
    "A14",
    "A15",
    "A16",
    "A17",
    "B1",
    "B2",
    "B3",
    "B4",
    "B5",
    "B6",
    "B7",
    "B8",
    "C1",
    "C2",
    "C3",
    "C4",
    "C5",
    "C6",
    "C7",
    "C8",
    "D1",
    "D2",
    "E1",
    "E2",
    "E3",
    "E4",
]
CLAIM = Claim(id="X1", text="x", where="here", experiment="source-localization")


def part(low, high, margin=0.0, n=20):
    mean = (low + high) / 2
    return Part("difference", Summary(n, mean, (high - low) / 4, low, high), margin, "")


@pytest.mark.parametrize(
    ("low", "high", "margin", "state"),
    [
        (0.01, 0.05, 0.0, CONFIRMED),
        (-0.01, 0.05, 0.0, NOT_CONFIRMED),
        (0.0, 0.05, 0.0, NOT_CONFIRMED),  # the bound itself does not lie beyond
        (-0.05, -0.01, 0.0, OPPOSITE),
        (0.07, 0.09, 0.065, CONFIRMED),  # at least 6.5 points
        (0.06, 0.09, 0.065, NOT_CONFIRMED),
        (0.01, 0.06, 0.065, NOT_CONFIRMED),  # less than claimed, but not below zero
        (-0.03, -0.01, 0.065, OPPOSITE),
        (-0.009, 0.02, -0.01, CONFIRMED),  # no worse than by one point
        (-0.009, -0.002, -0.01, CONFIRMED),
        (-0.02, -0.005, -0.01, NOT_CONFIRMED),
        (-0.03, -0.02, -0.01, OPPOSITE),
        (math.nan, math.nan, 0.0, NOT_CONFIRMED),  # one seed
    ],
)
def test_the_interval_decides_a_difference(low, high, margin, state):
    assert part(low, high, margin).state == state


@pytest.mark.parametrize(
    ("low", "high", "state"),
    [
        (-0.05, 0.09, CONFIRMED),
        (-0.05, 0.1, NOT_CONFIRMED),
        (0.05, 0.3, NOT_CONFIRMED),
        (0.11, 0.3, OPPOSITE),
        (-0.3, -0.11, OPPOSITE),
    ],
)
def test_likeness_has_two_bounds(low, high, state):
    alike = replace(part(low, high, 0.1), alike=True)
    assert alike.state == state
    assert (alike.p < 0.05) == (state != NOT_CONFIRMED)


def test_a_claim_needs_all_its_differences():
    good, bad, open_ = part(0.1, 0.2), part(-0.2, -0.1), part(-0.1, 0.1)
    assert judge(CLAIM, [good, good]).word == CONFIRMED
    assert judge(CLAIM, [bad, bad]).word == OPPOSITE
    assert judge(CLAIM, [good, open_]).word == NOT_CONFIRMED
    assert judge(CLAIM, [good, bad]).word == CONTRADICTED
    assert judge(CLAIM, [open_, bad]).word == CONTRADICTED


def test_one_opposite_difference_of_several_is_corrected_for_their_number():
    strong, weak = part(-0.2, -0.1), part(-0.2, -0.0001)
    verdict = judge(CLAIM, [part(0.1, 0.2), part(-0.1, 0.1), strong, weak])
    assert verdict.p == 4 * strong.p
    assert verdict.deciding is strong
    (final,) = corrected([judge(CLAIM, [part(0.1, 0.2)] * 9 + [weak])])
    assert final.word == NOT_CONFIRMED


def test_no_p_value_is_shown_where_no_side_was_taken():
    (final,) = corrected([judge(CLAIM, [part(-0.1, 0.1)])])
    assert math.isnan(final.p)


def test_the_p_value_of_a_claim_is_that_of_its_weakest_difference():
    strong, weak = part(0.1, 0.2), part(0.001, 0.2)
    verdict = judge(CLAIM, [strong, weak])
    assert verdict.p == weak.p > strong.p
    assert verdict.deciding is weak
    assert judge(CLAIM, [part(-0.1, 0.1)]).p == 1.0


def test_the_deciding_difference_of_the_opposite_is_the_one_nearest_zero():
    near, far = part(-0.2, -0.01), part(-0.4, -0.2)
    assert judge(CLAIM, [far, near]).deciding is near


def test_what_is_exact_decides_last():
    exact = Part("parameters", Summary(5, -7.0, 0.0, -7.0, -7.0), 0.0, "")
    measured = part(-0.3, -0.1)
    verdict = judge(CLAIM, [part(0.1, 0.2), exact, measured])
    assert verdict.word == CONTRADICTED
    assert verdict.deciding is measured


def test_an_opposite_count_beside_intervals_is_exact():
    behind = Count("runs", ahead=0, behind=5, n=5, claimed=5)
    (final,) = corrected([judge(CLAIM, [part(0.1, 0.2), behind])])
    assert final.word == CONTRADICTED
    assert math.isnan(final.p)


def test_counts_of_states():
    verdict = judge(CLAIM, [part(0.1, 0.2), part(-0.2, -0.1), part(0.1, 0.3)])
    assert (verdict.count(CONFIRMED), verdict.count(OPPOSITE)) == (2, 1)


def test_holm_takes_back_what_one_of_many_found():
    alone = judge(CLAIM, [Part("d", summarize([0.2, 0.3, 0.25, 0.1]), 0.0, "")])
    assert alone.word == CONFIRMED
    assert 0.01 < alone.p < 0.05
    open_ = judge(CLAIM, [part(-0.1, 0.1)])
    (only,) = corrected([alone])
    first, *_ = corrected([alone, open_, open_, open_, open_])
    assert only.word == CONFIRMED
    assert first.word == NOT_CONFIRMED
    assert (only.taken_back, first.taken_back) == ("", CONFIRMED)
    assert first.p == pytest.approx(5 * alone.p)


def test_holm_stays_within_one_experiment():
    alone = judge(CLAIM, [Part("d", summarize([0.2, 0.3, 0.25, 0.1]), 0.0, "")])
    other = CLAIM.model_copy(update={"experiment": "citations"})
    many = [alone] + [replace(judge(other, [part(-0.1, 0.1)])) for _ in range(9)]
    assert corrected(many)[0].word == CONFIRMED


def test_what_was_not_tested_is_no_member_of_the_family():
    alone = judge(CLAIM, [part(0.1, 0.2)])
    family = corrected([alone, *[Verdict(CLAIM, NOT_RUN)] * 9])
    assert family[0].p == alone.p
    assert math.isnan(family[1].p)


def test_the_ids_are_those_of_the_papers_claims():
    assert [claim.id for claim in claims()] == IDS


def test_every_cell_of_a_claim_is_planned():
    shipped = set().union(*(one.experiments for one in claims())) & set(config.names())
    found = [config.find(name) for name in shipped]
    plans = {one.name: Planned(one, plan(config.blocks(one))) for one in found}
    assert set(plans) >= {"source-localization", "citations", "citations-variants"}
    for claim in claims():
        for rule in claim.differences:
            planned = plans[rule.experiment or claim.experiment]
            for contrast in expand(rule):
                for cell in (*contrast.plus, *contrast.minus):
                    key = planned.config_hash(cell)
                    assert key in planned.seeds, (claim.id, cell)


def test_a_claim_of_two_experiments_needs_the_rows_of_both():
    ours = config.find("source-localization-ablations")
    other = config.find("citations-variants")
    (claim,) = [claim for claim in claims() if claim.id == "E3"]
    assert claim.experiments == {ours.name, other.name}

    def score(cell):
        return 0.8 - 0.1 * (not cell.model.scaled) + 0.001 * (cell.seed % 3)

    half = rows(ours, score)
    (open_,) = verdicts(Index(half), [claim])
    assert open_.word == NOT_RUN
    (final,) = verdicts(Index(half + rows(other, score)), [claim])
    assert final.word == CONFIRMED
    assert {part.n for part in final.parts} == {10, 20}


def test_without_rows_nothing_is_judged():
    words = {verdict.claim.id: verdict.word for verdict in verdicts(Index([]))}
    assert set(words.values()) == {NOT_RUN, UNTESTABLE}
    assert words["E4"] == UNTESTABLE
    assert words["B1"] == NOT_RUN


@pytest.fixture(scope="module")
def citations():
    return config.find("citations")


def judged(index, name):
    asked = next(claim for claim in claims() if claim.id == name).experiment
    family = [claim for claim in claims() if claim.experiment == asked]
    return next(v for v in verdicts(index, family) if v.claim.id == name)


def test_full_rows_are_judged(citations):
    gain = {"relu": 0.70, "max": 0.80, "median": 0.745}

    def score(cell):
        noise = 0.001 * ((7 * cell.seed + cell.model.hops) % 5)
        return gain.get(cell.model.activation, 0.5) + noise

    index = Index(rows(citations, score))
    beats, by_five_points = judged(index, "D1"), judged(index, "D2")
    assert beats.word == CONFIRMED
    assert len(beats.parts) == 8
    assert beats.deciding.difference.n == 20
    assert by_five_points.word == NOT_CONFIRMED
    assert by_five_points.count(CONFIRMED) == 4


def test_the_opposite_is_said(citations):
    def score(cell):
        worse = cell.model.activation in ("max", "median")
        return 0.6 - 0.1 * worse + 0.001 * ((3 * cell.seed + cell.model.hops) % 7)

    assert judged(Index(rows(citations, score)), "D1").word == OPPOSITE


def test_one_missing_row_leaves_a_claim_open(citations):
    given = rows(citations, plausible)
    lost = next(row for row in given if row.settings.get("activation") == "max")
    kept = [row for row in given if row is not lost]
    assert judged(Index(kept), "D1").word == NOT_RUN


def test_the_quick_form_judges_nothing(citations):
    index = Index(rows(citations, plausible, quick=True))
    assert judged(index, "D1").word == NOT_RUN


def test_curves_and_spreads_are_judged():
    study = config.find("source-localization")

    def score(cell):
        wide = 4 if cell.settings["graph"] == "geometric" else 1
        return 0.7 + 0.01 * wide * ((5 * cell.seed) % 7 - 3)

    family = [claim for claim in claims() if claim.experiment == study.name]
    found = verdicts(Index(rows(study, score)), family)
    words = {verdict.claim.id: verdict.word for verdict in found}
    assert words["A1"] == CONFIRMED  # synthetic losses only fall
    assert words["A2"] == CONFIRMED  # and are the same for all
    assert words["A12"] == CONFIRMED
    assert words["A10"] == NOT_CONFIRMED


def test_one_excerpt_of_austen_is_of_our_test_part():
    (claim,) = [claim for claim in claims() if claim.id == "B4"]
    (margin,) = {one.margin for one in claim.differences if one.margin}
    assert margin == pytest.approx(1 / 298, abs=1e-6)
    assert "our test part" in claim.rule


@pytest.mark.parametrize(
    ("ahead", "behind", "claimed", "state"),
    [
        (5, 0, 5, CONFIRMED),
        (5, 0, 4, CONFIRMED),  # more than claimed
        (4, 1, 5, NOT_CONFIRMED),
        (0, 5, 5, OPPOSITE),
        (2, 3, 3, OPPOSITE),  # the rival is ahead as often as claimed
        (2, 2, 3, NOT_CONFIRMED),  # a tie is neither
    ],
)
def test_counts_are_decided_by_counting(ahead, behind, claimed, state):
    count = Count("c", ahead, behind, 5, claimed)
    assert count.state == state
    verdict = judge(CLAIM, [count])
    assert verdict.word == state
    assert math.isnan(verdict.p)


def test_a_count_is_no_member_of_holms_family():
    counted = judge(CLAIM, [Count("c", 5, 0, 5, 5)])
    tested = judge(CLAIM, [part(0.1, 0.2)])
    first, second = corrected([counted, tested])
    assert first.word == CONFIRMED
    assert second.p == tested.p
