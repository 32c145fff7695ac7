import typing
from importlib import resources

import pytest

from vicinal.experiments import config, estimators, models, settings

GOOD = """
title = "A small study"
section = ""
summary = "Two activations on one graph."
seeds = 2

[run]
task = "source-localization"
samples = [20, 5, 5]
epochs = 3

[quick]
seeds = 1
epochs = 1

[[grid]]
name = "relu"
activation = "relu"

[[grid]]
name = "local"
seeds = [3, 5]
activation = ["max", "median"]
hops = [1, 2]
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "study.toml"
        path.write_text(text)
        return path

    return write


def test_blocks_are_a_union_of_products(written):
    relu, local = config.blocks(config.load(written(GOOD)))
    assert [cell.seed for cell in relu.cells] == [0, 1]
    assert [(c.model.activation, c.model.hops, c.seed) for c in local.cells] == [
        (activation, hops, seed)
        for seed in (3, 5)
        for activation in ("max", "median")
        for hops in (1, 2)
    ]
    assert local.varies == ("activation", "hops")


def test_the_quick_form_replaces_settings_and_seeds(written):
    _, local = config.blocks(config.load(written(GOOD)), quick=True)
    assert {cell.seed for cell in local.cells} == {0}
    assert {cell.training.epochs for cell in local.cells} == {1}


def test_changes_replace_what_the_file_says(written):
    relu, _ = config.blocks(config.load(written(GOOD)), changes={"epochs": 7})
    assert {cell.training.epochs for cell in relu.cells} == {7}


def test_the_identity_is_what_differs_from_the_defaults(written):
    experiment = config.load(written(GOOD.replace("epochs = 3", "epochs = 20")))
    relu, _ = config.blocks(experiment)
    assert "epochs" not in relu.cells[0].changed  # 20 is the default
    same, _ = config.blocks(config.load(written(GOOD.replace("epochs = 3\n", ""))))
    assert relu.cells[0].config_hash == same.cells[0].config_hash


def test_models_may_name_a_list_of_them(written):
    text = GOOD + '\n[[grid]]\nname = "named"\nmodels = "both"\n'
    tables = "\n[models]\na = { taps = 2 }\nb = { taps = 3 }\n"
    *_, named = config.blocks(
        config.load(written(text + tables + '[sets]\nboth = ["a", "b"]\n'))
    )
    assert {cell.model.taps for cell in named.cells} == {2, 3}
    with pytest.raises(
        ValueError, match=r"must list names, or name a list of \[sets\]"
    ):
        config.load(written(text + tables))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "hops = [1, 2]",
            "hopps = [1, 2]",
            "grid 'local': `hopps` must be",
        ),
        ("hops = [1, 2]", "hops = [-1]", "`hops` must be greater than or equal to 0"),
        ("hops = [1, 2]", "hops = []", "`hops` must list at least one value, got none"),
        (
            "seeds = [3, 5]",
            "seeds = [3, 3]",
            r"distinct integers .* got \[3, 3\]",
        ),
        ("seeds = [3, 5]", "seeds = 0", "`seeds` must be a positive number"),
        ("epochs = 3", 'epochs = "many"', "`epochs` must be a whole number, got 'man"),
        ('"source-localization"', '"unknown"', "`task` must be one of"),
        ('title = "A small study"', "", "`title` must be given, got nothing"),
        (
            "seeds = 2",
            "seeds = 2\ncolour = 1",
            "`colour` must be one of the keys .* got an unknown one",
        ),
        ("seeds = 2", "seeds = 1000000000", "`seeds` must be .* up to 100,000"),
        ("seeds = 2", "seeds = [9223372036854775808]", "`seeds` must be"),
        ("seeds = 2", "seeds = 2\nseconds = inf", "`seconds` must be a finite number"),
        ("seeds = 2", 'seeds = 2\nname = "q"', "`name` must be the file's"),
        ("epochs = 3", "epochs = true", "`epochs` must be a whole number, got True"),
        ("epochs = 3", "bias = 1", "`bias` must be true or false, got 1"),
        ("epochs = 3", 'dropout = "0.5"', "`dropout` must be a number, got '0.5'"),
        ("[quick]", "[models]\na = { tapps = 2 }\n[quick]", "`tapps` must be a sett"),
        ("[quick]", '[sets]\nall = ["b"]\n[quick]', "`sets.all` must name models"),
        ("seeds = 2", 'seeds = "two"', "`seeds` must be a positive number up to"),
        ("seeds = 2", "seeds = true", "`seeds` must be a positive number up to"),
        ("hops = [1, 2]", "hops = 1001", "`hops` must be less than or equal to 1000"),
        (
            "hops = [1, 2]",
            'model = "foo"',
            "`model` must be 'gnn', 'mlp', .* got 'foo'",
        ),
        ("hops = [1, 2]", 'shift = "foo"', r"`shift` must be one of \['adjacency', "),
        (
            "hops = [1, 2]",
            'second_shift = "adjacency"',
            "`layers` must be 2 or more for a `second_shift`, got 1",
        ),
        (
            'activation = ["max", "median"]',
            'activation = "relu"',
            "`hops` must be 0 for the activation 'relu', .*, got 1",
        ),
        (
            "hops = [1, 2]",
            'model = "bayes"\nnoise = "heavy-tailed"',
            "`noise` must be 'none', 'white' or 'impulsive' for the Bayes rule",
        ),
        (
            "epochs = 3",
            "learning_rate = inf",
            "`learning_rate` must be a finite number",
        ),
        ("hops = [1, 2]", "models = [{ a = 1 }]", "`models` must be among"),
        ("hops = [1, 2]", 'base = ["x"]', "`base` must be among"),
        ("hops = [1, 2]", 'shows = "loss"', r"`shows` must be one of .* got 'loss'"),
        (
            'name = "local"',
            'name = "relu: 2"\nshows = "losses"',
            "must be that of 'relu",
        ),
        ("[run]", "[run", "must be TOML"),
        (
            'activation = ["max", "median"]',
            'activation = ["maxx"]',
            "`activation` must",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_with_file_and_key(written, old, new, sentence):
    assert old in GOOD
    with pytest.raises(ValueError, match=sentence) as caught:
        config.load(written(GOOD.replace(old, new, 1)))
    assert "study.toml" in str(caught.value)
    assert "\n" not in str(caught.value).strip()


PRINTED = """
[published]
rows = [{ activation = "relu", value = 0.5 }, { activation = "max", value = 0.6 }]
"""


def test_published_numbers_belong_to_one_configuration(written):
    read = config.load(written(GOOD + PRINTED))
    assert sorted(config.printed(read).values()) == [0.5, 0.6]
    assert not config.printed(read).keys() & config.printed(read, quick=True).keys()
    assert config.printed(read, kind="best_runs") == {}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seeds = 1\nepochs = 1", "epoch = 1", r"`epoch` must be a setting of"),
        ("seeds = 1\nepochs = 1", "seeds = 0", "`seeds` must be a positive number"),
        ('[[grid]]\nname = "relu"', "[[grid]]\nquick = { hops = [] }", "`hops` must"),
        ('activation = "relu", v', 'activaton = "relu", v', "published.*activaton"),
        ('"relu", value = 0.5', '"relu"', "published: `rows` must list tables with a"),
        ("rows = [", "rows = 3 #", "`rows` must list tables with a number .*, got 3"),
        ("[[grid]]\n", "[[grid]]\nfull_only = true\n", "`full_only` must leave"),
        ("rows = [{", "rows = { value = 1 } #", "`rows` must list tables .* got {'v"),
        ("value = 0.5", "value = nan", "with a number as `value`"),
        ('[[grid]]\nname = "relu"', "[[grid]]\nquick = 3", "`quick` must be a table"),
        ('name = "relu"', 'full_only = "no"', "`full_only` must be true or false"),
        ('name = "relu"', 'name = "local"', "`name` must be another one for each grid"),
        ("[published]", "[published]\nfrob = 5", "`frob` must be one of the keys"),
        ("[published]", '[published]\nmetric = "x"', "`metric` must be one of"),
        ("[published]", "[published]\nsource = 5", "`source` must be a text, got 5"),
        (
            "[published]",
            "[published]\nfacts = [{ value = 5 }]",
            "`fact` must be a text, got",
        ),
        ('["max", "median"]', '["max", "max"]', "`activation` must list distinct"),
        (
            'activation = ["max", "median"]\nhops = [1, 2]',
            'model = "gcn"',
            r"`task` must be one of \['citations'\] for the model 'gcn', got",
        ),
    ],
)
def test_the_quick_form_and_what_was_published_are_checked_too(
    written, old, new, sentence
):
    assert old in GOOD + PRINTED
    with pytest.raises(ValueError, match=sentence):
        config.load(written((GOOD + PRINTED).replace(old, new)))


def test_a_study_without_a_grid_says_so(written):
    head, *_ = GOOD.partition("[[grid]]")
    with pytest.raises(ValueError, match="`grid` must be given, got nothing"):
        config.load(written(head))
    with pytest.raises(ValueError, match="`grid` must have at least one entry"):
        config.load(written("grid = []\n" + head))


def test_every_model_has_a_name_that_may_be_set():
    known = set(typing.get_args(settings.Model))
    assert known == {*models.NETWORKS, *estimators.ESTIMATORS}


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(ValueError, match="must be readable"):
        config.find(str(tmp_path / "none.toml"))


def test_a_change_reaches_the_cells_that_have_the_setting():
    found = config.distinct(config.find("movies-users"), True, {"target": 99})
    targets = {cell.name: cell.settings.get("target") for cell in found}
    assert targets == {"movies-users": 99, "movie-ratings": None}


def test_costs_are_in_proportion_to_epochs_and_signals(written):
    read = config.load(written(GOOD.replace("seeds = 2", "seconds = 6\nseeds = 2")))
    full, quick = config.distinct(read), config.distinct(read, quick=True)
    assert config.seconds(read, full) == pytest.approx(6 * len(full))
    assert config.seconds(read, quick) == pytest.approx(6 * len(quick) / 3)
    short = config.distinct(read, changes={"samples": [10, 5, 5]})
    assert config.seconds(read, short) == pytest.approx(6 * len(short) / 2)


def test_what_was_decided_must_be_a_setting(written):
    with pytest.raises(ValueError, match="`hopps` must be a setting of"):
        config.load(written('decided = ["hopps"]\n' + GOOD))


def test_a_wrong_change_is_not_blamed_on_the_file(written):
    read = config.load(written(GOOD))
    told = "`--set` must fit the study: .*`epochs` must be greater than or equal to 1"
    with pytest.raises(ValueError, match=told):
        config.blocks(read, changes={"epochs": 0})


def test_a_change_that_no_cell_has_is_refused():
    told = r"movies-users.toml: `share` must be a setting of .* got an unknown one"
    with pytest.raises(ValueError, match=told):
        config.blocks(config.find("movies-users"), changes={"share": 0.1})


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"must be one of .*source-localization"):
        config.find("sourcelocalization")


@pytest.mark.parametrize("name", config.names())
@pytest.mark.parametrize("quick", [False, True])
def test_every_experiment_that_is_shipped_can_be_expanded(name, quick):
    experiment = config.find(name)
    found = config.blocks(experiment, quick)
    assert all(block.cells for block in found)
    assert len({block.name for block in found}) == len(found)


def test_what_a_block_says_of_its_quick_form_comes_first(written):
    block = '[[grid]]\nname = "own"\nquick = { epochs = 3, seeds = 5 }\n[[grid]]'
    read = config.load(written(GOOD.replace("[[grid]]", block, 1)))
    own, *others = config.blocks(read, quick=True)
    assert {cell.training.epochs for cell in own.cells} == {3}
    assert {cell.seed for cell in own.cells} == set(range(5))
    assert {c.training.epochs for block in others for c in block.cells} != {3}
    (changed, *_) = config.blocks(read, quick=True, changes={"epochs": 7})
    assert {cell.training.epochs for cell in changed.cells} == {7}


def test_a_file_of_ones_own_has_a_name_of_its_own(tmp_path):
    path = tmp_path / "citations.toml"
    path.write_text(GOOD)
    with pytest.raises(ValueError, match=r"must have a name of its own, .* rename"):
        config.find(str(path))


def test_the_path_of_a_shipped_file_is_that_experiment():
    folder = resources.files("vicinal.experiments") / "paper"
    assert config.find(str(folder / "citations.toml")) is config.find("citations")


def test_published_numbers_have_one_quick_form(written):
    block = '[[grid]]\nname = "own"\nquick = { epochs = 3 }\n[[grid]]'
    printed = '[published]\nrows = [{ activation = "relu", value = 0.5 }]\n'
    text = GOOD.replace("[[grid]]", block, 1).replace("[quick]", f"{printed}[quick]")
    with pytest.raises(
        ValueError, match=r"`quick` must set other names than \[quick\]"
    ):
        config.load(written(text))
