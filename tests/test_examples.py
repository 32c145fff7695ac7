"""Every example runs as it stands, and the symmetry it draws is there."""

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import vicinal as vc

EXAMPLES = Path(__file__).parents[1] / "examples"
PICTURES = {"symmetry": "symmetry.svg"}
PRINTS = {
    "own_activation": r"RangeActivation\(.*\) is permutation equivariant",
    "own_graph": r"step 40: loss 0\.0",
    "pyg_gcn": r": [5-9]\d\.\d% with ReLU, [5-9]\d\.\d% with a median",  # chance: 25
    "source_localization": r"median +test accuracy",
    "symmetry": r"median: outputs differ by 0\.[\s\S]*picture: output/symmetry\.svg",
}


@pytest.fixture(scope="module")
def symmetry():
    spec = importlib.util.spec_from_file_location("symmetry", EXAMPLES / "symmetry.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_the_example_runs_in_an_empty_folder(name, tmp_path):
    finished = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1"},  # tests run side by side
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert re.search(PRINTS.get(name, r"\S"), finished.stdout), finished.stdout
    written = {path.name for path in tmp_path.glob("output/*")}
    assert written == {PICTURES[name]} if name in PICTURES else not written
    assert all("</svg>" in (tmp_path / "output" / p).read_text() for p in written)


# --- the paper's Figure 1 -------------------------------------------------------------


def test_the_picture_goes_where_it_is_told(tmp_path, monkeypatch):
    path = tmp_path / "drawn" / "here.png"
    monkeypatch.setattr(sys, "argv", ["symmetry.py", str(path)])
    runpy.run_path(str(EXAMPLES / "symmetry.py"), run_name="__main__")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_what_to_install(symmetry, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(
        SystemExit, match=r"install it with `pip install vicinal\[report"
    ):
        symmetry.draw({"signal": symmetry.signals()}, tmp_path / "none.svg")


def test_the_double_hexagon_has_its_edges(symmetry):
    graph = symmetry.graph()
    degrees = graph.to_dense().sum(0)
    assert (graph.num_nodes, graph.num_edges) == (12, 2 * (6 + 6 + 6))
    assert degrees.tolist() == [3.0] * 12
    assert graph == graph.reverse()
    assert graph.to_dense()[0].nonzero().flatten().tolist() == [1, 5, 6]


def test_the_permutation_swaps_the_rings_and_turns_by_half(symmetry):
    order = symmetry.ORDER
    assert sorted(order) == list(range(12))
    for node, image in enumerate(order):
        assert (node < 6) != (image < 6)
        assert (image - node) % 6 == 3  # three of six corners further
        x, y = symmetry.CORNERS[node]
        u, v = symmetry.CORNERS[image]
        assert x * v - y * u == pytest.approx(0, abs=1e-12)  # opposite corners
        assert x * u + y * v == pytest.approx(-2)


def test_the_permutation_leaves_the_graph_as_it_is(symmetry):
    assert symmetry.graph().permute(symmetry.ORDER) == symmetry.graph()


def test_the_signals_differ_but_are_permutations_of_each_other(symmetry):
    x, permuted = symmetry.signals()
    assert not x.equal(permuted)
    assert permuted.equal(x[symmetry.ORDER])
    for turn in range(6):  # no plain rotation takes one to the other
        turned = [(k + turn) % 6 for k in range(6)]
        assert not x[turned + [k + 6 for k in turned]].equal(permuted)


@pytest.mark.parametrize("activation", ["median", "max"])
@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("layers", [1, 3])
def test_networks_map_the_two_signals_to_permuted_outputs(
    symmetry, activation, hops, layers
):
    for seed in range(5):
        torch.manual_seed(seed)
        model = vc.nn.GNN(
            1, [8] * layers, 2, taps=3, activation=activation, hops=hops,
            initial="uniform", readout="node",
        ).double()  # fmt: skip
        x, permuted = (signal.double() for signal in symmetry.signals())
        before, after = (model(s, symmetry.graph()).detach() for s in (x, permuted))
        assert (after - before[symmetry.ORDER]).abs().max() <= 1e-12
        assert (after - before).abs().max() > 1e-3


@pytest.mark.parametrize("activation", ["median", "max"])
def test_a_signal_that_is_no_permutation_gives_other_outputs(symmetry, activation):
    model = vc.nn.GNN(1, [8, 8], 2, taps=3, activation=activation, readout="node")
    x, permuted = symmetry.signals()
    permuted = permuted.roll(1, dims=0)
    before, after = (model(s, symmetry.graph()) for s in (x, permuted))
    assert (after - before[symmetry.ORDER]).abs().max() > 1e-3
