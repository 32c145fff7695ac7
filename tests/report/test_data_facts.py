"""Degrees and other facts of the data: told where they differ, beside the paper's."""

from dataclasses import replace

from report.synthetic import experiment, plausible, rows

from vicinal.report.data_facts import facts_text, printed_facts
from vicinal.report.results import Index, study

DEGREES = {"erdos-renyi": 39.0, "geometric": 6.0}
GRID = [{"name": "all", "graph": list(DEGREES), "activation": ["relu", "identity"]}]
PRINTED = {
    "facts": [
        {"fact": "mean_degree", "graph": "erdos-renyi", "value": 39.4},
        {"fact": "mean_degree", "graph": "grid", "value": 3.6},
    ]
}


def sections(grid=GRID, **changes):
    small = experiment(grid=grid, **changes)

    def described(row):
        degree = DEGREES[row.settings.get("graph", "erdos-renyi")] + row.seed
        facts = {"mean_degree": degree, "train": 10_000}
        return replace(row, result=row.result | {"data_facts": facts})

    index = Index([described(row) for row in rows(small, plausible)])
    return small, study(small, index).sections


def test_facts_are_told_by_data_set_where_they_differ():
    _, (section,) = sections()
    assert facts_text(section) == (
        "mean degree 40.5 (Erdős–Rényi), 7.5 (geometric), train 10,000"
    )


def test_of_many_data_sets_the_extremes_are_told():
    grid = [{"name": "all", "density": [0.1 * k for k in range(1, 9)]}]
    small, _ = sections(grid)
    given = [
        replace(row, result=row.result | {"data_facts": {"n": row.settings["density"]}})
        for row in rows(small, plausible)
    ]
    (section,) = study(small, Index(given)).sections
    assert facts_text(section) == "n 0.1 to 0.8"


def test_printed_facts_stand_beside_ours():
    small, found = sections(published=PRINTED)
    table = printed_facts(small, found)
    assert table.rows == (
        ("Erdős–Rényi", "mean degree", "40.5 ± 0.65", "4", "39.4"),
    )  # seeds 0 to 3; nothing is known of grids


def test_where_nothing_is_printed_there_is_no_table():
    assert printed_facts(*sections()) is None
