import pytest

from vicinal.experiments.statistics import Comparison, Summary
from vicinal.report.claims import CONFIRMED, NOT_RUN, OPPOSITE, Claim, Verdict
from vicinal.report.comparisons import ComparisonLine, ComparisonTable
from vicinal.report.findings import Tally, gains, of_claims


def verdict(name, word):
    return Verdict(Claim(id=name, text="", where="", experiment="e"), word)


def line(low, high, p=0.001, key="a", local=True, metric="accuracy"):
    found = Comparison(Summary(9, (low + high) / 2, 0.1, low, high), 5, 0, p)
    return ComparisonLine(key, local, "m", (), metric, ((found, p),))


def table(*lines):
    return ComparisonTable((), ("ReLU",), lines)


def test_claims_are_counted_and_named():
    found = of_claims(
        [verdict("A1", CONFIRMED), verdict("A2", OPPOSITE), verdict("B1", NOT_RUN)]
    )
    assert found == [
        "1 of the paper's 3 numbered claims are confirmed (A1).",
        "1 of the paper's 3 numbered claims come out the opposite way (A2).",
        "1 of the paper's 3 numbered claims wait for their experiment to be run in "
        "full "
        "(B1).",
    ]


@pytest.mark.parametrize(
    ("given", "tally"),
    [
        (line(0.1, 0.2), (1, 0, 0)),
        (line(-0.2, -0.1), (0, 0, 1)),
        (line(-0.1, 0.1), (0, 1, 0)),
        (line(0.1, 0.2, p=0.2), (0, 1, 0)),
        (line(0.1, 0.2, metric="mse"), (0, 0, 1)),
    ],
)
def test_gains_need_the_interval_and_holm(given, tally):
    assert gains([table(given)]) == [Tally("ReLU", *tally)]


def test_a_configuration_in_two_tables_counts_once_and_only_local_ones_count():
    one = table(line(0.1, 0.2), line(0.1, 0.2, key="b", local=False))
    assert gains([one, one]) == [Tally("ReLU", 1, 0, 0)]
