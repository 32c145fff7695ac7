import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vicinal as vc
from vicinal.cli import app
from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows
from vicinal.experiments.statistics import summarize
from vicinal.report.claims import (
    CONFIRMED,
    CONTRADICTED,
    NOT_CONFIRMED,
    NOT_RUN,
    OPPOSITE,
    UNTESTABLE,
    verdicts,
)
from vicinal.report.rating_results import collect
from vicinal.report.results import Index

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
CLEANED = "task=denoising,graph=geometric,share=0.1,layers=1"
LOCATED = "task=source-localization,graph=geometric,share=0.1,corrupted=both"
NEAREST = f"{LOCATED},layers=1,outlier_size=10,epochs=10"
FOUND, LONGER = f"{LOCATED},layers=2", f"{LOCATED},epochs=40"
HIT, NEAR = "graph=erdos-renyi", "graph=geometric"
RMS = "input_scale=rms"
AFTER, HEAVY = "held_out=[8,9,10]", "noise=heavy-tailed"
BRONTE = "author=charlotte_bronte,split=random80"


def test_the_two_commands_come_first():
    first_block = re.search(r"```sh\n(.*?)```", README, re.DOTALL).group(1)
    commands = [line.split("#")[0].strip() for line in first_block.splitlines()]
    assert commands == ["make run", "make test"]


def test_it_is_short():
    assert 100 <= len(README.splitlines()) <= 195


def test_its_first_program_runs():
    program = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    names = {}
    exec(program, names)  # our own text, tested as a reader would type it
    assert names["y"].shape == (8, 2, 1000, 32)
    assert names["z"].shape == (8, 1000, 32)
    assert names["logits"].shape == (8, 1000, 10)


PRINTED = re.findall(
    r"printed by `vicinal (results tables [^`]*)`", " ".join(README.split())
)


def test_it_shows_tables_of_three_studies():
    shown = [command.split()[2] for command in PRINTED]
    assert shown == ["faulty-sensors", "source-localization", "citations"]


def test_its_count_of_verdicts_is_that_of_the_rows():
    words = Counter(v.word for v in verdicts(Index(read_rows(ROOT / "results"))))
    told = " ".join(README.split())
    for word, phrase in [
        (CONFIRMED, "our runs confirm {}"),
        (OPPOSITE, "find the opposite of {}"),
        (CONTRADICTED, "contradict {} in part"),
        (NOT_CONFIRMED, "do not confirm {}"),
        (NOT_RUN, "; {} are not run in full yet"),
        (UNTESTABLE, "{} cannot be tested"),
    ]:
        assert bool(words[word]) == (phrase.format(words[word]) in told), word
    assert f"Of its {words.total()} numbered claims" in told


@pytest.mark.parametrize("told", PRINTED)
def test_its_tables_are_what_their_commands_print(told):
    command = shlex.split(told.replace("--rows results", f"--rows {ROOT / 'results'}"))
    printed = CliRunner().invoke(app, command).stdout
    table = [line for line in printed.splitlines() if line.startswith("|")]
    assert len(table) >= 9
    assert "\n".join(table) in README


@pytest.mark.parametrize(
    ("experiment", "only", "score"),
    [
        ("citations", "activation=median,hops=2", "81.5 ± 0.2"),
        ("citations", "activation=relu,model=gnn,layers=1,taps=5", "68.8 ± 0.4"),
        ("citations", "activation=mean,hops=2", "79.7 ± 0.1"),
        ("citations", "model=gcn", "83.1 ± 0.2"),
        ("faulty-sensors", f"{NEAREST},activation=median,hops=1", "84.4 ± 1.9"),
        ("faulty-sensors", f"{NEAREST},model=gnn,activation=relu", "52.7 ± 2.2"),
        ("faulty-sensors", f"{NEAREST},activation=mean,hops=1", "40.1 ± 1.1"),
        ("faulty-sensors", f"{NEAREST},model=median-filter", "87.1 ± 1.2"),
        ("faulty-sensors", f"{NEAREST},clip=true,activation=relu", "89.3 ± 1.4"),
        ("faulty-sensors", f"{NEAREST},clip=true,activation=median", "90.1 ± 1.5"),
        ("faulty-sensors", f"{LONGER},clip=false,activation=median", "89.9 ± 1.6"),
        ("faulty-sensors", f"{LONGER},clip=true,activation=relu", "93.6 ± 1.3"),
        ("faulty-sensors", f"{FOUND},clip=true,activation=relu", "93.3 ± 1.2"),
        ("faulty-sensors", f"{FOUND},pointwise=relu,activation=median", "90.8 ± 1.3"),
        ("faulty-sensors", f"{FOUND},pointwise=none,activation=relu", "86.8 ± 1.4"),
        ("faulty-sensors", f"{FOUND},pointwise=none,activation=median", "86.2 ± 1.7"),
        ("source-localization", f"{HIT},activation=mean,hops=1", "88.8 ± 1.0"),
        ("source-localization", f"{HIT},model=logistic-regression", "99.8 ± 0.1"),
        ("source-localization", f"{NEAR},activation=mean,hops=1", "95.1 ± 0.9"),
        ("source-localization", f"{NEAR},model=logistic-regression", "98.7 ± 0.5"),
        ("source-localization", f"{HIT},activation=prelu", "87.8 ± 1.2"),
        ("source-localization", f"{NEAR},activation=prelu", "95.1 ± 1.0"),
        ("source-localization", f"{HIT},activation=maxout", "85.0 ± 1.3"),
        ("source-localization", f"{NEAR},activation=maxout", "96.9 ± 0.7"),
        ("source-localization", f"{HIT},model=nearest-neighbor", "100.0 ± 0.0"),
        ("source-localization", f"{NEAR},model=nearest-neighbor", "100.0 ± 0.0"),
        ("source-localization", f"{HIT},{RMS},activation=relu", "90.6 ± 1.2"),
        ("source-localization", f"{NEAR},{RMS},activation=relu", "98.2 ± 0.8"),
        ("source-localization", f"{HIT},{RMS},activation=median", "93.3 ± 1.2"),
        ("source-localization", f"{NEAR},{RMS},activation=median", "97.8 ± 0.8"),
        ("source-localization-noisy", f"{NEAR},activation=relu,taps=5", "76.4 ± 3.6"),
        ("source-localization-noisy", f"{NEAR},activation=median,hops=1", "70.4 ± 3.5"),
        ("source-localization-noisy", f"{NEAR},activation=mean,hops=1", "70.2 ± 3.7"),
        *(
            ("source-localization-noisy", only, score)
            for only, score in [
                (f"{HIT},{AFTER},activation=relu,taps=5", "72.7 ± 1.7"),
                (f"{HIT},{AFTER},activation=median,hops=1", "76.5 ± 1.8"),
                (f"{HIT},{AFTER},activation=mean,hops=1", "77.5 ± 1.9"),
                (f"{HIT},{HEAVY},activation=relu,taps=5", "35.7 ± 0.8"),
                (f"{HIT},{HEAVY},activation=median,hops=1", "40.3 ± 0.9"),
                (f"{HIT},{HEAVY},activation=relu,clip=true", "42.2 ± 1.0"),
                (f"{NEAR},{HEAVY},activation=relu,taps=5", "66.5 ± 2.2"),
                (f"{NEAR},{HEAVY},activation=median,hops=1", "71.3 ± 2.5"),
                (f"{NEAR},{HEAVY},activation=relu,clip=true", "69.8 ± 2.4"),
            ]
        ),
        *(
            ("source-localization-ablations", f"{HIT},bias=false,{only}", score)
            for only, score in [
                ('activation=relu,times="[1, 10]"', "45.0 ± 1.2"),
                ('activation=max,times="[1, 10]"', "52.9 ± 1.1"),
                ('activation=median,times="[1, 10]"', "50.6 ± 1.0"),
                ('activation=relu,times="[0, 99]"', "24.2 ± 1.1"),
                ('activation=max,times="[0, 99]"', "24.3 ± 1.0"),
                ('activation=median,times="[0, 99]"', "23.9 ± 1.1"),
            ]
        ),
        ("authorship", f"{BRONTE},activation=max,hops=1", "9.0 ± 0.5"),
        ("authorship", f"{BRONTE},activation=relu,model=gnn,taps=5", "9.2 ± 0.5"),
        ("authorship", f"{BRONTE},activation=median,hops=1", "9.9 ± 0.7"),
        ("authorship", f"{BRONTE},model=word-logistic", "6.1 ± 0.5"),
        (
            "citations-variants",
            "activation=relu,model=gnn,layers=1,taps=5,"
            "shift=random_walk_with_self_loops",
            "81.8 ± 0.2",
        ),
        (
            "citations-variants",
            "activation=relu,model=gnn,layers=1,taps=5,shift=self_loops",
            "69.8 ± 0.4",
        ),
    ],
)
def test_its_other_numbers_are_of_the_rows(experiment, only, score):
    command = ["results", "tables", experiment, "--rows", str(ROOT / "results")]
    printed = CliRunner().invoke(app, [*command, "--only", only]).stdout
    assert f"| {score} |" in printed
    assert score in " ".join(README.split())


@pytest.mark.parametrize(
    ("system", "expected", "score"),
    [
        ("relu", False, "1.130 ± 0.017"),
        ("median", False, "1.140 ± 0.015"),
        ("relu", True, "1.073 ± 0.016"),
        ("median", True, "1.089 ± 0.014"),
        ("item-mean", False, "0.968 ± 0.012"),
        ("rating-neighbors", False, "0.889 ± 0.015"),
    ],
)
def test_its_movie_ratings_are_of_the_rows(system, expected, score):
    rows = Index(read_rows(ROOT / "results" / "movies-items.json.gz"))
    found = collect(config.find("movies-items"), rows)
    by_split = found.by_split(system, found.targets, expected=expected)
    over = summarize(list(by_split.values()))
    assert over.n == 5
    assert f"{over.mean:.3f} ± {over.se:.3f}" == score
    assert score in " ".join(README.split())


def test_its_own_model_runs():
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {}
    exec(blocks[0], names)
    exec(blocks[1], names)
    x = names["x"][..., :1]
    assert names["Net"]()(x, names["graph"]).shape == (8, 1000, 1)


def test_the_error_it_shows_is_the_one_raised():
    shown = re.search(r"ValueError: (.*)", README).group(1)
    with pytest.raises(ValueError, match=re.escape(shown)):
        vc.Graph.from_edges([(0, 1000)], num_nodes=1000)
