"""The shipped studies on generated data: what they hold, counted by hand."""

import pytest

from vicinal.experiments import config
from vicinal.experiments.estimators import ESTIMATORS
from vicinal.experiments.models import NETWORKS

STUDIES = (
    "source-localization",
    "source-localization-noisy",
    "source-localization-ablations",
    "faulty-sensors",
)


def cells(name, quick=False):
    found = config.blocks(config.find(name), quick=quick)
    every = [cell for block in found for cell in block.cells]
    return {(cell.config_hash, cell.seed): cell for cell in every}


def named(name, start, quick=False):
    found = config.blocks(config.find(name), quick=quick)
    chosen = [b for b in found if b.name.split(":")[0] == start]
    return {(c.config_hash, c.seed) for block in chosen for c in block.cells}


def test_the_papers_own_cells():
    name = "source-localization"
    assert len(named(name, "hops")) == 2 * 40 * (1 + 2 * 4)
    for family in ("Erdos-Renyi", "geometric"):
        assert len(named(name, f"degree, {family}")) == 4 * 10 * (1 + 2 * 2)
    assert len(named(name, "loss")) == 10 * 3


def test_controls_and_baselines_stand_beside_them():
    name = "source-localization"
    assert len(named(name, "controls")) == 2 * 40 * (1 + 4 + 4 + 2)
    assert len(named(name, "inputs divided by rms")) == 2 * 20 * 6
    assert len(named(name, "baselines")) == 2 * 40 * 6
    # one density of each family is that of the hop study: 10 graphs, 5 models
    by_degree = 2 * (200 - 50) + 2 * 3 * 10 * 5  # and five controls at three densities
    assert len(cells(name)) == 720 + by_degree + 30 + 880 + 480 + 240


def test_noisy_and_held_out():
    name, models = "source-localization-noisy", 4 + 3 * 2 + 2
    assert len(named(name, "white noise")) == 2 * 3 * 20 * (models + 5)
    assert len(named(name, "impulsive noise")) == 2 * 2 * 20 * (models + 5)
    assert len(named(name, "heavy-tailed noise")) == 2 * 20 * (models + 4 + 3)
    assert len(named(name, "held-out times")) == 2 * 2 * 20 * (models + 5)


def test_ablations():
    name = "source-localization-ablations"
    assert len(named(name, "bias and times")) == 20 * 2 * 2 * 4 * 5
    assert len(named(name, "input scale")) == 10 * 2 * 2 * 5
    assert len(named(name, "initial weights")) == 10 * 2 * 2 * 2 * 2
    assert len(named(name, "whole component")) == 10 * 2 * 3 * 2
    assert len(named(name, "shifts")) == 10 * 2 * 2 * (1 + 2 * 2)
    assert len(named(name, "second shift")) == 10 * 2 * 3 * 3


def test_faulty_sensors_on_twenty_graphs():
    name, trained = "faulty-sensors", 2 + 3 * 2 + 2  # pointwise, local, ReLU of local
    trained += 2  # ReLU of more taps
    geometric, others = 5 * (trained + 3 + 4), (3 + 3) * (trained + 2 + 3)
    assert len(named(name, "localisation")) == 20 * (geometric + others)
    assert len(named(name, "denoising")) == 20 * (5 + 3) * (trained + 2 + 3)
    assert len(named(name, "denoising on a grid")) == 20 * 3 * (trained + 2 + 3)
    for task in ("localisation", "denoising"):
        assert len(named(name, f"{task}, layers")) == 20 * 2 * (trained + 2)
        assert len(named(name, f"{task}, longer training")) == 20 * 2 * 7


@pytest.mark.parametrize("name", ["faulty-sensors", "source-localization-noisy"])
def test_every_hop_has_its_linear_twin_and_as_many_taps(name):
    found = {
        (c.model.activation, c.model.hops, c.model.taps) for c in cells(name).values()
    }
    for hops in (1, 2):
        assert ("mean", hops, 5) in found
        assert ("relu", 0, 5 + hops) in found


def test_the_quick_form_of_faulty_sensors_is_a_part_of_the_full_one():
    quick = cells("faulty-sensors", quick=True)
    assert len(quick) == 2 * 3 * (8 + 7)
    assert quick.keys() <= cells("faulty-sensors").keys()


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("quick", [False, True])
def test_every_model_is_there(name, quick):
    models = {cell.model.model for cell in cells(name, quick).values()}
    assert models <= {*NETWORKS, *ESTIMATORS}


@pytest.mark.parametrize("name", STUDIES)
def test_models_of_a_study_see_the_same_graphs(name):
    """Seeds of every data configuration start at 0 without a gap: paired."""
    seeds = {}
    for cell in cells(name).values():
        seeds.setdefault(cell.config_hash, set()).add(cell.seed)
    assert {len(s) for s in seeds.values()} <= {10, 20, 40}
    assert all(s == set(range(len(s))) for s in seeds.values())


def test_wrong_settings_are_told_with_file_and_block(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'title = "t"\nsection = ""\nsummary = "s"\nseeds = 1\n'
        '[run]\ntask = "source-localization"\n[quick]\n'
        '[[grid]]\nname = "b"\ngraph = "grid"\nnum_nodes = 99\n'
    )
    with pytest.raises(ValueError, match=r"own.toml, grid 'b'.*`num_nodes` must be a"):
        config.load(path)
