"""Candidates chosen on validation data, never on test data."""

import math

import pytest
from report.synthetic import experiment, row

from vicinal.experiments.config import blocks
from vicinal.report.candidates import Candidate, candidates
from vicinal.report.results import Index, study
from vicinal.report.selection import chosen, references, selections, sentences

WORDS = "logistic regression on z-scores"
TUNED = experiment(
    seeds=3,
    run={"task": "authorship", "validation": 0.25},
    quick={"seeds": 1, "epochs": 1},
    grid=[
        {
            "name": "Tuned: ReLU",
            "shows": "tuned",
            "activation": "relu",
            "weight_decay": [0.0, 0.1],
        },
        {"name": "Tuned: max", "shows": "tuned", "activation": "max", "hops": [1, 2]},
        {
            "name": "Tuned: w",
            "shows": "tuned",
            "model": "word-logistic",
            "validation": [0.0, 0.25],
        },
    ],
)


def rows(test, valid):
    made = []
    for block in blocks(TUNED):
        for cell in block.cells:
            one = row(cell, test(cell), metric="error")
            if cell.model.model == "gnn":
                one.result["curves"]["valid_error"] = [0.9, *[valid(cell)] * 5]
            else:
                one.result["curves"] = {}
            made.append(one)
    return made


def test_error(cell):
    """The candidate that validation prefers is the worse one on test data."""
    return 0.1 + 0.1 * (cell.training.weight_decay > 0) + 0.01 * cell.seed


def valid_error(cell):
    return 0.3 - 0.1 * (cell.training.weight_decay > 0)


test_error.__test__ = False


def section(test=test_error, valid=valid_error):
    (found,) = study(TUNED, Index(rows(test, valid))).sections
    return found


def test_validation_chooses():
    relu = [one for one in candidates(section()) if one.kind == "ReLU"]
    assert len(relu) == 2
    assert chosen(relu) == pytest.approx({0: 0.2, 1: 0.21, 2: 0.22})


def test_test_scores_do_not_choose():
    before = {line.kind: line.ours.mean for line in selections(section())}
    swapped = section(test=lambda cell: 1 - test_error(cell))
    after = {line.kind: line.ours.mean for line in selections(swapped)}
    assert after == pytest.approx({kind: 1 - mean for kind, mean in before.items()})


def test_what_has_no_validation_score_is_a_kind_of_its_own():
    found = {line.kind: line for line in selections(section())}
    assert {kind: line.candidates for kind, line in found.items()} == {
        "ReLU": 2, "max": 2,
        f"{WORDS} (validation 0)": 1, f"{WORDS} (validation 0.25)": 1,
    }  # fmt: skip


def test_kinds_stand_beside_the_references():
    lines, words = selections(section()), f"{WORDS} (validation 0)"
    assert references(lines) == ["ReLU", words, f"{WORDS} (validation 0.25)"]
    relu = next(line for line in lines if line.kind == "ReLU")
    assert "ReLU" not in relu.against
    assert relu.against[words].mean == pytest.approx(0.1)
    assert relu.told(words) == "behind"
    first, second, _ = sentences(lines)
    assert first == "Charlotte Brontë, against ReLU: ahead: max."
    assert second == (
        f"Charlotte Brontë, against {words}: not to be told apart: max; behind: ReLU."
    )


def test_a_seed_counts_once_all_its_candidates_are_there():
    made = rows(test_error, valid_error)
    kept = [one for one in made if one.seed < 2 or not one.settings.get("weight_decay")]
    (found,) = study(TUNED, Index(kept)).sections
    relu = next(line for line in selections(found) if line.kind == "ReLU")
    assert relu.ours.n == 2


def test_a_diverged_candidate_is_not_chosen():
    good = Candidate("", "max", {}, "error", {0: 0.3}, {0: 0.4})
    lost = Candidate("", "max", {}, "error", {}, {0: math.inf})
    assert chosen([lost, good]) == {0: 0.3}


def test_other_sections_have_none():
    other = experiment(run={"task": "authorship"})
    made = [row(cell, 0.1, "error") for b in blocks(other) for cell in b.cells]
    (found,) = study(other, Index(made)).sections
    assert selections(found) == []
