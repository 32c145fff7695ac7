"""Every configuration meets ReLU and its own controls, pair by pair."""

import pytest
from report.synthetic import experiment, rows

from vicinal.report.comparisons import comparison_table
from vicinal.report.results import Index, study

SCORES = {"relu": 0.5, "identity": 0.55, "mean": 0.6, "max": 0.7, "median": 0.8}
GRID = [
    {"name": "all: ReLU", "activation": "relu", "taps": [5, 6]},
    {"name": "all: none", "activation": "identity"},
    {"name": "all: mean", "activation": "mean", "hops": [1, 2]},
    {"name": "all: local", "activation": ["max", "median"], "hops": [1, 2]},
]


def score(cell):
    taps = 0.01 * (cell.model.taps - 5)
    return SCORES[cell.model.activation] + taps + 0.001 * cell.seed


def table_of(grid=GRID, metric="accuracy", score=score):
    small = experiment(grid=grid, seeds=6)
    index = Index(rows(small, score, metric=metric))
    (section,) = study(small, index).sections
    return comparison_table(section, index, small.run)


def found(table, model, reference):
    (line,) = [line for line in table.lines if line.model == model]
    return line.against[table.references.index(reference)]


def test_references_by_hand():
    table = table_of()
    for reference, expected in [
        ("ReLU", 0.3),
        ("no activation", 0.25),
        ("linear twin", 0.2),
        ("ReLU, more taps", 0.29),
    ]:
        comparison, _ = found(table, "1-hop median", reference)
        assert comparison.difference.mean == pytest.approx(expected)
        assert (comparison.wins, comparison.difference.n) == (6, 6)


def test_words_are_compared_with_logistic_regression_too():
    grid = [*GRID, {"name": "all: words", "model": "word-logistic"}]
    small = experiment(grid=grid, seeds=6, run={"task": "authorship"})
    index = Index(rows(small, score, metric="error"))
    (section,) = study(small, index).sections
    table = comparison_table(section, index, small.run)
    comparison, _ = found(table, "1-hop median", "logistic regression")
    assert comparison.difference.mean == pytest.approx(0.3)
    assert (comparison.wins, comparison.difference.n) == (0, 6)


def test_a_rival_with_other_inputs_meets_the_relu_of_its_table():
    grid = [
        {"name": "all: ReLU", "activation": "relu", "taps": [5, 6]},
        {"name": "all: GCN", "model": "gcn", "words": "normalized", "epochs": 9},
    ]
    run = {"task": "citations", "words": "raw"}
    small = experiment(grid=grid, seeds=6, run=run)
    elsewhere = experiment(
        grid=[{"name": "other", "activation": "relu", "words": "normalized"}], run=run
    )
    scores = {"gcn": 0.9, "gnn": 0.5}
    index = Index(
        rows(small, lambda cell: scores[cell.model.model] + 0.001 * cell.seed)
        + rows(elsewhere, lambda cell: 0.1)
    )
    (section,) = study(small, index).sections
    comparison, _ = found(comparison_table(section, index, run), "GCN", "ReLU")
    assert comparison.difference.mean == pytest.approx(0.4)
    assert comparison.difference.n == 6


def test_a_rival_among_several_relus_meets_the_one_of_its_shift():
    shifts = ["random_walk_with_self_loops", "symmetric_with_self_loops"]
    grid = [
        {"name": "all: ReLU", "activation": "relu", "shift": shifts, "scaled": False},
        {"name": "all: GCN", "model": "gcn", "shift": shifts[1], "epochs": 9},
        {"name": "all: SGC", "model": "sgc", "shift": "self_loops", "epochs": 9},
    ]
    small = experiment(grid=grid, seeds=6, run={"task": "citations"})
    gained = {"gnn": 0.5, "gcn": 0.7, "sgc": 0.7}

    def by_shift(cell):
        own = 0.1 * (cell.model.shift == shifts[1])
        return gained[cell.model.model] + own + 0.001 * cell.seed

    index = Index(rows(small, by_shift))
    (section,) = study(small, index).sections
    (line,) = comparison_table(section, index, small.run).lines
    assert line.model == "GCN"  # SGC has no ReLU of its own shift
    assert line.against[0][0].difference.mean == pytest.approx(0.2)


def test_what_only_local_activations_read_makes_no_other_reference():
    grid = [
        {"name": "all: ReLU", "activation": ["relu", "identity", "prelu", "maxout"]},
        {"name": "all: mean", "activation": "mean", "hops": 1},
        {
            "name": "all: local",
            "activation": "median",
            "hops": 1,
            "convention": "lower",
            "initial": ["mean", "uniform"],
        },
    ]
    known = SCORES | {"prelu": 0.52, "maxout": 0.9}
    table = table_of(grid, score=lambda cell: known[cell.model.activation])
    even, uniform = table.lines[-2:]
    for line in (even, uniform):
        pairs = dict(zip(table.references, line.against, strict=True))
        assert pairs["ReLU"][0].difference.mean == pytest.approx(0.3)
        assert pairs["no activation"][0].difference.mean == pytest.approx(0.25)
        assert pairs["PReLU"][0].difference.mean == pytest.approx(0.28)
        assert pairs["maxout"][0].difference.mean == pytest.approx(-0.1)
    twin = table.references.index("linear twin")
    assert even.against[twin][0].difference.mean == pytest.approx(0.2)
    assert uniform.against[twin] is None  # the mean was not run from uniform weights


def test_a_reference_that_was_not_run_is_absent():
    table = table_of()
    assert found(table, "2-hop median", "ReLU, more taps") is None
    assert table_of(GRID[:1] + GRID[3:]).references == ("ReLU", "ReLU, more taps")


def test_relu_is_not_compared_with_itself_but_with_fewer_taps():
    table = table_of()
    relus = [line for line in table.lines if line.model == "ReLU"]
    assert [line.settings for line in relus] == [("6",)]
    assert relus[0].against[0][0].difference.mean == pytest.approx(0.01)


def test_only_local_activations_have_controls():
    table = table_of()
    assert found(table, "1-hop mean", "linear twin") is None
    assert {line.model for line in table.lines if line.local} == {
        f"{hops}-hop {name}" for hops in (1, 2) for name in ("max", "median")
    }


def test_holm_runs_over_one_reference():
    # six pairs of one sign: 2 / 2^6 each
    table = table_of(score=lambda cell: score(cell) * (1 + 0.01 * cell.seed))
    adjusted = [line.against[0][1] for line in table.lines if line.against[0]]
    assert max(adjusted) == pytest.approx(len(adjusted) * 2 / 64)
    comparison, p = found(table, "1-hop max", "linear twin")
    assert comparison.wilcoxon == pytest.approx(2 / 64)
    assert p == pytest.approx(4 * 2 / 64)


def test_holm_runs_over_one_data_set():
    both = ["erdos-renyi", "geometric"]
    grid = [
        {"name": "all: ReLU", "activation": "relu", "graph": both},
        {"name": "all", "activation": "max", "hops": [1, 2], "graph": both},
    ]
    for line in table_of(grid).lines:
        ((comparison, p),) = line.against
        assert p == pytest.approx(2 * comparison.wilcoxon)  # of 2 hops, not of 2 graphs


def test_a_choice_is_held_against_what_was_decided():
    grid = [
        {"name": "times", "times": [[0, 24]], "activation": ["relu", "identity"]},
        {"name": "as decided", "activation": ["relu", "identity"]},
    ]
    small = experiment(grid=grid, seeds=6, decided=["times"])

    def late(cell):
        return score(cell) - 0.04 * (cell.task.times == (0, 24))

    index = Index(rows(small, late))
    (changed, usual) = study(small, index).sections
    table = comparison_table(changed, index, small.run, small.decided)
    assert table.references == ("ReLU", "as decided")
    for model in ("ReLU", "identity"):
        comparison, _ = found(table, model, "as decided")
        assert comparison.difference.mean == pytest.approx(-0.04)
        assert (comparison.wins, comparison.difference.n) == (0, 6)
    table = comparison_table(usual, index, small.run, small.decided)
    assert table.references == ("ReLU",)


def test_lower_errors_win():
    comparison, _ = found(table_of(metric="mse"), "1-hop max", "ReLU")
    assert comparison.wins == 0


def test_a_baseline_meets_the_network_of_the_same_data():
    grid = [
        {
            "name": "all: ReLU",
            "activation": "relu",
            "graph": ["erdos-renyi", "geometric"],
        },
        {"name": "all: other", "model": "mlp", "epochs": 7, "graph": "geometric"},
    ]
    table = table_of(grid, score=lambda cell: 0.9 if cell.model.model == "mlp" else 0.5)
    comparison, _ = found(table, "MLP", "ReLU")
    assert comparison.difference.mean == pytest.approx(0.4)


def test_without_references_there_is_no_table():
    assert table_of([{"activation": "identity"}]) is None


def test_clipped_inputs_are_a_reference_and_relu_is_not_clipped():
    grid = [
        {"name": "all: ReLU", "activation": "relu", "clip": [False, True]},
        {"name": "all: MLP", "model": "mlp", "clip": True},
        {"name": "all: local", "activation": "median", "hops": 1},
    ]

    def clipped(cell):
        base = 0.9 if cell.model.model == "mlp" else SCORES[cell.model.activation]
        return base + (0.05 if cell.settings["clip"] else 0.0)

    table = table_of(grid, score=clipped)
    for model, reference, expected in [
        ("1-hop median", "ReLU", 0.3),
        ("1-hop median", "clipped ReLU", 0.25),
        ("1-hop median", "clipped MLP", -0.15),
        ("clipped, ReLU", "ReLU", 0.05),
        ("clipped, MLP", "ReLU", 0.45),
    ]:
        comparison, _ = found(table, model, reference)
        assert comparison.difference.mean == pytest.approx(expected), (model, reference)
