"""The pages say what is: their programs run, and what they print is what they show."""

import contextlib
import doctest
import importlib
import io
import re
import sys
from pathlib import Path

import pytest
from report.synthetic import rows

import vicinal
from vicinal import graphs
from vicinal.experiments import config
from vicinal.experiments.exchange import write_rows

DOCS = Path(__file__).parents[1] / "docs"
NUMBER = re.compile(r"[+-]?\d+\.\d+")


@pytest.fixture
def pages(monkeypatch):
    """The part of the documentation that is written from the library."""
    monkeypatch.syspath_prepend(DOCS)
    yield importlib.import_module("extensions.pages")
    for name in [name for name in sys.modules if name.split(".")[0] == "extensions"]:
        del sys.modules[name]


def blocks(page, *languages):
    """Language and text of the blocks of a page, in order."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    found = re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)
    return [(language, block) for language, block in found if language in languages]


# --- programs ------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # within PyG
def test_the_tutorial_runs_and_prints_what_it_shows():
    names, said = {}, ""
    for language, block in blocks("from-relu-to-median", "python", "text"):
        if language == "python":
            assert said == "", "a program whose output is not shown"
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(block, names)  # our own text, tested as a reader would type it
            said = printed.getvalue()
        else:
            assert_alike(said, block)
            said = ""
    assert said == ""
    assert_the_words_are_true(names["errors"], names["accuracies"])


def assert_the_words_are_true(errors, accuracies):
    """What the page says of the numbers, whatever their last digits are."""
    noisy = {name: error for (name, share), error in errors.items() if share}
    best = {"median, 1 hop", "median, 2 hops"}
    assert max(noisy[name] for name in best) < noisy["clipped, ReLU"] < noisy["ReLU"]
    assert noisy["ReLU"] < noisy["mean, 1 hop"]
    assert max(error for (_, share), error in errors.items() if not share) < 0.02
    means = {key: sum(tries.values()) for key, tries in accuracies.items()}
    assert max(means, key=lambda key: means[key] * (key[1] > 0))[0] == "median before"
    assert means["median instead", 0.1] < means["mean before", 0.1]


def assert_alike(printed, shown):
    """The same words; numbers may differ as machines do."""
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", shown)
    for ours, theirs in zip(
        NUMBER.findall(printed), NUMBER.findall(shown), strict=True
    ):
        assert float(ours) == pytest.approx(float(theirs), rel=0.15, abs=0.02)


def test_the_first_page_runs():
    ((_, program),) = blocks("index", "python")
    names = {}
    exec(program, names)
    assert names["z"].shape == (8, 100, 16)


def test_the_experiment_that_is_shown_can_be_run(tmp_path):
    ((_, text),) = blocks("studies", "toml")
    path = tmp_path / "my-study.toml"
    path.write_text(text, encoding="utf-8")
    full, quick = (config.blocks(config.load(path), form) for form in (False, True))
    assert [len(block.cells) for block in full] == [60, 120]
    assert [len(block.cells) for block in quick] == [12, 8]


# --- parts that are written from the library -----------------------------------------


def test_every_command_is_there(pages):
    text = pages.PARTS["command-line.md"]()
    headings = re.findall(r"^## vicinal (.*)$", text, re.MULTILINE)
    assert {"list", "show", "run", "results", "report", "info"} <= set(headings)
    assert {"results export", "results import"} <= set(headings)
    assert {"data list", "data fetch", "data verify"} <= set(headings)
    assert "| `--store PATH` | Where rows are kept. | `vicinal.sqlite` |" in text


def test_every_setting_is_there(pages):
    text = pages.PARTS["settings.md"]()
    assert "| `hops` | whole number, ≥ 0, ≤ 1000 | `0` |" in text
    assert '| `split` | `"pygcn"`, `"planetoid"` | `"pygcn"` |' in text


def test_every_experiment_is_there(pages):
    text = pages.PARTS["studies.md"]()
    assert re.findall(r"^\| `(.*?)`", text, re.MULTILINE) == config.names()


def test_rows_become_tables(pages, tmp_path, monkeypatch):
    studies = sys.modules["extensions.studies"]
    monkeypatch.setattr(studies, "ROWS", tmp_path)
    assert pages.PARTS["results.md"]() == studies.NOTHING
    made_up = rows(config.find("citations"), lambda cell: 0.5 + cell.seed / 100)
    write_rows(tmp_path / "rows.json", made_up)
    text = pages.PARTS["results.md"]()
    assert text.startswith("## Citation networks\n")
    assert re.search(r"^\| ReLU .*\| 20 \| 59\.5 ± 1\.3 \|", text, re.MULTILINE)
    assert f"| {len(made_up)} rows, 9 min |" in pages.PARTS["studies.md"]()


def test_every_module_is_there(pages):
    folder = Path(vicinal.__file__).parent
    for package in ("datasets", "experiments", "report"):
        text = pages.PARTS[f"{package}.md"]()
        names = set(re.findall(rf"automodule:: vicinal\.{package}\.(\w+)", text))
        files = {path.stem for path in (folder / package).glob("*.py")}
        assert names == files - {"__init__"}


def test_every_name_of_the_graphs_is_there():
    text = (DOCS / "api/graphs.md").read_text(encoding="utf-8")
    source = Path(graphs.__file__).read_text(encoding="utf-8")
    shown = set(re.findall(r":: vicinal\.graphs\.(\w+)", text))
    assert shown == set(re.findall(r"import (\w+) as \1", source))


def test_the_examples_of_the_extensions_run(pages):
    for name in ("extensions.markdown", "extensions.formulas"):
        found = doctest.testmod(importlib.import_module(name))
        assert (found.failed, found.attempted) == (0, 1)


def test_the_files_are_written_once(pages, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "PARTS", {"part.md": lambda: "words\n"})
    pages.write(tmp_path / "generated")
    path = tmp_path / "generated" / "part.md"
    before = path.stat().st_mtime_ns
    pages.write(tmp_path / "generated")
    assert (path.read_text(), path.stat().st_mtime_ns) == ("words\n", before)


def test_links_between_pages_lead_somewhere():
    for path in DOCS.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)", path.read_text(encoding="utf-8")):
            page = DOCS / target
            assert page.exists() or page.with_suffix(".md").exists(), (path, target)
