"""Figures hold the points they should, and are SVG that fits into a page."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from report.synthetic import experiment, plausible, rows

from vicinal.report import figures, series, tables
from vicinal.report.gallery import gallery
from vicinal.report.results import Index, study

DENSITIES = [
    {"name": "degree: ReLU", "density": [0.2, 0.4, 0.6], "activation": "relu"},
    {"name": "degree", "density": [0.2, 0.4, 0.6], "activation": "max", "hops": [1, 2]},
]
LOSS = [{"shows": "losses", "activation": ["relu", "identity"], "epochs": 20}]
SHARES = [
    {
        "name": "faulty",
        "noise": "impulsive",
        "share": [0.0, 0.1, 0.2],
        "graph": ["erdos-renyi", "geometric"],
        "activation": "median",
        "hops": 1,
    }
]


def section_of(quick=False, **changes):
    small = experiment(**changes)
    (section,) = study(small, Index(rows(small, plausible, quick=quick))).sections
    return section


def test_reach_is_the_axis_and_relu_its_zero():
    section = section_of()
    assert series.axis(section) == "hops"
    (panel,) = series.by_axis(section, "hops")
    lines = {line.label: line for line in panel.series}
    assert set(lines) == {"ReLU", "max", "median"}
    assert [x for x, _ in lines["max"].points] == [0, 1, 2, 3]
    assert lines["ReLU"].level
    assert lines["max"].points[0][1] == lines["ReLU"].points[0][1]


def test_levels_far_from_the_lines_are_named_and_not_drawn():
    others = ["constant", "nearest-neighbor", "amplitude"]
    grid = [*experiment().grid, {"name": "hops: others", "model": others}]
    scores = {"constant": 0.1, "nearest-neighbor": 0.97, "amplitude": 0.96}

    def score(cell):
        return scores.get(cell.model.model, plausible(cell))

    small = experiment(grid=grid)
    (section,) = study(small, Index(rows(small, score))).sections
    (panel,) = series.by_axis(section, "hops")
    assert panel.left_out == ("constant",)
    levels = {one.label: (one.color, one.dash) for one in panel.series if one.level}
    assert set(levels) == {"ReLU", "1-NN", "amplitude"}
    assert len(set(levels.values())) == 3
    assert "In the table only: constant." in gallery(section, {})[0].caption


def test_levels_of_one_color_differ_in_their_dashes():
    grid = [*experiment().grid, {"name": "hops: taps", "taps": [6, 7]}]
    (panel,) = series.by_axis(section_of(grid=grid), "hops")
    reds = {one.label: one.dash for one in panel.series if one.level}
    assert len(reds) == len(set(reds.values())) == 3


def test_density_is_the_axis_and_reach_the_dash():
    section = section_of(grid=DENSITIES)
    assert series.axis(section) == "density"
    (panel,) = series.by_axis(section, "density")
    assert [line.label for line in panel.series] == ["ReLU", "1-hop max", "2-hop max"]
    assert [line.dash for line in panel.series] == [0, 0, 1]
    assert [x for x, _ in panel.series[2].points] == [0.2, 0.4, 0.6]


def test_what_else_varies_makes_panels():
    section = section_of(grid=SHARES)
    assert series.axis(section) == "share"
    panels = series.by_axis(section, "share")
    assert [p.title.split(",")[0] for p in panels] == ["Erdős–Rényi", "Geometric"]


def test_a_number_that_is_a_name_is_no_axis():
    users = [{"name": "users", "target": [405, 655, 13], "activation": "relu"}]
    section = section_of(run={"task": "movies-users"}, grid=users)
    assert series.axis(section) is None
    titles = [panel.title for panel in series.dots(section)]
    assert titles == ["Target 405", "Target 655", "Target 13"]


def test_points_are_means_with_intervals():
    section = section_of()
    (panel,) = series.dots(section)
    group, line = section.groups[0], panel.series[0]
    ((_, found),) = line.points
    assert found.mean == pytest.approx(sum(group.scores().values()) / 4)
    assert found.low < found.mean < found.high


def test_hop_weights_by_hop():
    (panel,) = series.by_hop(section_of())
    line = next(line for line in panel.series if line.label == "3-hop median")
    assert [(x, found.mean) for x, found in line.points] == [
        (k, 0.25) for k in range(4)
    ]


def test_loss_curves_are_means_over_seeds():
    panels = series.by_epoch(section_of(grid=LOSS), ("train_loss", "valid_loss"))
    assert [panel.title for panel in panels] == ["ReLU", "identity"]
    training, validation = panels[0].series
    assert (training.label, validation.label) == ("training", "validation")
    assert len(training.points) == 20
    assert training.points[1][1].mean == pytest.approx(2.7)


def drawn(**changes):
    section = section_of(**changes)
    return [(d, svg) for d in gallery(section, {}) for _, svg in d.panels]


@pytest.mark.parametrize("grid", [DENSITIES, LOSS, SHARES, experiment().grid])
def test_svg_is_well_formed_and_takes_its_colors_from_the_page(grid):
    found = drawn(grid=grid)
    assert found
    for drawing, svg in found:
        root = ElementTree.fromstring(svg)
        assert root.get("viewBox")
        assert root.get("aria-label")
        assert "var(--s" in svg
        assert not re.search(r"#0000[ef]\d", svg)
        assert "font-family" not in svg
        assert "intervals" in drawing.caption


def test_the_same_rows_give_the_same_picture():
    assert [svg for _, svg in drawn()] == [svg for _, svg in drawn()]


def test_names_in_one_page_do_not_clash():
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for _, svg in drawn(grid=SHARES)]
    assert sum(map(len, ids)) == len(set().union(*ids))


def test_one_seed_draws_no_bars():
    section = section_of(seeds=1)
    (panel, *_) = series.by_axis(section, "hops")
    assert "nan" not in figures.draw(panel, "x", "y", "accuracy").lower()


def test_published_points_are_drawn():
    section = section_of(grid=[{"activation": ["relu", "identity"]}])
    key = section.groups[0].rows[0].config_hash
    (with_paper,) = gallery(section, {key: 0.7})
    (without,) = gallery(section, {})
    assert "Open diamonds" in with_paper.caption
    assert "Open diamonds" not in without.caption
    assert "stroke: var(--ink)" in with_paper.panels[0][1]
    assert "stroke: var(--ink)" not in without.panels[0][1]


def test_wide_intervals_leave_an_axis_of_percentages_alone():
    small = experiment(grid=[{"activation": ["relu", "identity"]}], seeds=2)
    index = Index(rows(small, lambda cell: float(cell.seed)))
    (section,) = study(small, index).sections
    (drawing,) = gallery(section, {})
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", drawing.panels[0][1])
    ticks = [float(text.replace("−", "-")) for text in texts if text[-1].isdigit()]
    assert ticks
    assert min(ticks) >= 0
    assert max(ticks) <= 100


ONE_RUN = {"name": "One run", "shows": "losses only", "seeds": 1}


def test_one_run_is_drawn_and_has_no_table():
    small = experiment(grid=[ONE_RUN, *experiment().grid])
    found = rows(small, lambda cell: 0.5)
    first, second = study(small, Index(found)).sections
    assert first.only_drawn
    assert not second.only_drawn
    (drawing,) = gallery(first, {})
    assert "not compared" in drawing.caption
    assert "dropout" not in drawing.caption
    assert [table.name for table in tables.tables(small, found)] == [second.name]


def test_a_loss_is_named_after_what_was_trained_and_names_steer_nothing():
    lossy = {"name": "Lossy channels, tuned", "task": "denoising", "density": 0}
    (section,) = study(
        small := experiment(grid=[{**lossy, "share": [0.1, 0.2, 0.3]}]),
        Index(rows(small, lambda cell: 0.5, metric="mse")),
    ).sections
    assert section.shows == "scores"
    assert "squared error" in gallery(section, {})[0].panels[0][1]
    (drawing,) = gallery(replace(section, shows="losses"), {})
    assert "mean squared error" in drawing.panels[0][1]
    assert "cross entropy" not in drawing.panels[0][1]


def test_losses_of_many_sizes_are_drawn_on_an_axis_of_powers():
    small = experiment(grid=[ONE_RUN])
    (falling,) = rows(small, lambda cell: 0.5)
    steep = [10.0 ** max(5 - epoch, -1) for epoch in range(20)]
    curves = {"train_loss": steep}
    fell = replace(falling, result=falling.result | {"curves": curves})
    for row, powers in ((falling, False), (fell, True)):
        (section,) = study(small, Index([row])).sections
        ((_, svg),) = gallery(section, {})[0].panels
        assert ("100,000<" in svg) == powers
        assert "font-family" not in svg


def test_panels_of_losses_share_their_axis():
    def ticks(svg):
        return re.findall(r">(-?[\d.]+)</text>", svg)

    (drawing,) = gallery(section_of(grid=LOSS), {})
    (_, first), (_, second) = drawing.panels
    assert ticks(first) == ticks(second)


def test_of_many_lines_those_with_more_taps_are_in_the_table_only():
    many = {"share": [0.0, 0.1, 0.2], "noise": "impulsive"}
    local = many | {"activation": ["mean", "max", "median"], "hops": [1, 2]}
    relus = many | {"activation": "relu", "taps": [5, 6, 7]}
    others = many | {"activation": ["identity", "prelu", "maxout", "tanh"]}
    grid = [
        {"name": f"faulty: {name}"} | block
        for name, block in (("local", local), ("relu", relus), ("others", others))
    ]
    drawing, *_ = gallery(section_of(grid=grid), {})
    assert {key.label for key in drawing.legend} >= {"ReLU, taps 5", "2-hop max"}
    assert "In the table only: ReLU, taps 6, ReLU, taps 7." in drawing.caption
