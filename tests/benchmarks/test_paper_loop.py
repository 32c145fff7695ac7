"""The estimate for a plain loop counts the paper's own cells and their steps."""

import sys
from pathlib import Path

import torch

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import paper_loop

from vicinal.experiments.cell import make_cell


def test_the_papers_local_cells_and_steps():
    cells = {(c.config_hash, c.seed): c for c in paper_loop.local_cells()}
    by_hop, by_degree, losses = 2 * 40 * 8, 2 * 3 * 10 * 4, 2 * 10
    assert len(cells) == by_hop + by_degree + losses  # one density is that of the hops
    assert {paper_loop.steps(cell) for cell in cells.values()} == {2000, 3000}


def test_both_ways_of_a_step_are_timed():
    torch.manual_seed(0)
    small = {"activation": "max", "hops": 1, "samples": [4, 0, 1], "batch": 2}
    cell = make_cell(
        {"task": "source-localization", "num_nodes": 12} | small, 0, "here"
    )
    loop, ours = paper_loop.both(cell)
    assert loop > 0
    assert ours > 0
