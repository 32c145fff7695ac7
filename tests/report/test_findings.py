import pytest

from vicinal.experiments.statistics import Comparison, Summary
from vicinal.report.claims import CONFIRMED, NOT_RUN, OPPOSITE, Claim, Verdict
from vicinal.report.comparisons import ComparisonLine, ComparisonTable
from vicinal.report.findings import Tally, gains, of_claims, smallest_p, too_few_pairs


def verdict(name, word):
    return Verdict(Claim(id=name, text="", where="", experiment="e"), word)


def line(low, high, p=0.001, key="a", local=True, metric="accuracy", n=9):
    found = Comparison(Summary(n, (low + high) / 2, 0.1, low, high), 5, 0, p)
    return ComparisonLine(key, local, "m", (), metric, ((found, p),))


def table(*lines):
    return ComparisonTable((), ("ReLU",), lines)


def test_claims_are_counted_and_named():
    found = of_claims(
        [verdict("A1", CONFIRMED), verdict("A2", OPPOSITE), verdict("B1", NOT_RUN)]
    )
    assert found == [
        "Confirmed: 1 of the paper's 3 numbered claims (A1).",
        "The opposite was found: 1 of the paper's 3 numbered claims (A2).",
        "Not run in full yet: 1 of the paper's 3 numbered claims (B1).",
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


@pytest.mark.parametrize(("n", "left_out"), [(3, 1), (5, 1), (6, 0), (20, 0)])
def test_too_few_pairs_are_not_called_alike(n, left_out):
    given = line(0.1, 0.2, p=smallest_p(n), n=n)
    assert gains([table(given)]) == [Tally("ReLU", 1 - left_out, 0, 0, left_out)]


def test_holms_correction_asks_for_more_pairs():
    six = [line(0.1, 0.2, p=1.0, n=6, key=key) for key in "ab"]
    assert gains([table(*six)]) == [Tally("ReLU", 0, 0, 0, 2)]  # 2 x 0.03125
    beside = [line(0.1, 0.2, n=20, key="a"), line(0.1, 0.2, p=0.04, n=6, key="b")]
    assert gains([table(*beside)]) == [Tally("ReLU", 2, 0, 0)]


def test_what_another_table_tells_counts():
    few, many = table(line(0.1, 0.2, n=5)), table(line(0.1, 0.2, n=9))
    assert gains([few, many]) == gains([many, few]) == [Tally("ReLU", 1, 0, 0)]


def test_where_tables_disagree_the_one_with_more_pairs_counts():
    few, many = table(line(-0.1, 0.2, p=0.06, n=10)), table(line(0.1, 0.2, n=23))
    assert gains([few, many]) == gains([many, few]) == [Tally("ReLU", 1, 0, 0)]


def test_of_as_many_pairs_the_more_cautious_p_value_counts():
    one, strict = table(line(0.1, 0.2, p=0.03)), table(line(0.1, 0.2, p=0.07))
    assert gains([one, strict]) == gains([strict, one]) == [Tally("ReLU", 0, 1, 0)]


def test_what_is_no_alternative_is_not_counted():
    decided = ComparisonTable((), ("as decided",), (line(0.1, 0.2),))
    assert gains([decided]) == []


def test_why_they_are_left_out_is_computed():
    assert too_few_pairs().startswith("With 5 or fewer pairs")
    assert "0.0625 of 5 pairs" in too_few_pairs()
