"""Whose best run errs least: counted, once all runs are there."""

from dataclasses import replace

import pytest
from report.synthetic import rows

from vicinal.experiments import config
from vicinal.report.results import Index
from vicinal.report.run_claims import COMPUTED


@pytest.fixture(scope="module")
def authorship():
    return config.find("authorship")


def score(cell):
    """On seed 3, 2-hop median errs least, 1-hop max next; else all err alike."""
    if cell.seed != 3:
        return 0.5
    network = (cell.model.activation, cell.model.hops)
    return {("median", 2): 0.1, ("max", 1): 0.2}.get(network, 0.3)


def of_austen(given, activation):
    """One row of a network on the usual splits."""
    return next(
        row
        for row in given
        if row.settings.get("author") == "austen"
        and row.settings.get("activation", "relu") == activation
        and not {"model", "split", "taps"} & row.settings.keys()
    )


def test_the_networks_ahead_and_behind_are_counted(authorship):
    given = rows(authorship, score, metric="error")
    (found,) = COMPUTED["best run of austen"](Index(given))
    assert (found.ahead, found.behind, found.n, found.claimed) == (5, 1, 6, 6)
    assert found.state == "not confirmed"


def test_a_missing_run_leaves_the_claim_open(authorship):
    given = rows(authorship, score, metric="error")
    lost = of_austen(given, "max")
    left = Index([row for row in given if row is not lost])
    assert COMPUTED["best run of austen"](left) is None
    assert COMPUTED["best run of charlotte_bronte"](left) is not None


def test_runs_that_were_not_planned_do_not_count(authorship):
    given = rows(authorship, score, metric="error")
    relu = of_austen(given, "relu")
    lucky = dict.fromkeys(relu.scores["error"], 0.0)
    result = relu.result | {"scores": {"error": lucky}}
    more = replace(relu, seed=500, result=result)  # as `--set seeds=...` leaves it
    (found,) = COMPUTED["best run of austen"](Index([*given, more]))
    assert (found.ahead, found.behind) == (5, 1)
