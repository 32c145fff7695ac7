"""The estimate for a plain loop counts the paper's own cells and their steps."""

import sys
from pathlib import Path

import pytest
import torch
from report.synthetic import row

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import paper_loop

from vicinal.experiments.cell import make_cell


def test_the_papers_local_cells_and_steps():
    own = paper_loop.own_cells()
    cells = [cell for cell in own if cell.model.hops > 0]
    by_hop, by_degree, losses = 2 * 40 * 8, 2 * 3 * 10 * 4, 2 * 10
    assert len(cells) == by_hop + by_degree + losses  # one density is that of the hops
    assert len(own) - len(cells) == 2 * 40 + 2 * 3 * 10 + 10  # ReLU
    assert {paper_loop.steps(cell) for cell in cells} == {2000, 3000}


def test_hours_are_those_of_the_rows():
    cells = paper_loop.own_cells()[:3]
    rows = [row(cell, 0.5) for cell in cells]  # two seconds each, a tenth to draw data
    assert paper_loop.hours(cells, rows) == pytest.approx(3 * 2.1 / 3600)


def test_both_ways_of_a_step_are_timed():
    torch.manual_seed(0)
    small = {"activation": "max", "hops": 1, "samples": [4, 0, 1], "batch": 2}
    cell = make_cell(
        {"task": "source-localization", "num_nodes": 12} | small, 0, "here"
    )
    loop, ours = paper_loop.both(cell)
    assert loop > 0
    assert ours > 0
