"""One page: whole, self-contained, escaped, honest about what was not run."""

import base64
import csv
import io
import re
from pathlib import Path

import pytest
from report.synthetic import experiment, plausible, rows
from report.test_claims import IDS

from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows
from vicinal.report.html import render, write
from vicinal.report.results import Index


@pytest.fixture(scope="module")
def citations():
    return config.find("citations")


@pytest.fixture(scope="module")
def page(citations):
    return render(rows(citations, plausible), ["citations"])


def toml(folder, **changes):
    """A TOML file of the small experiment, with a grid of one block."""
    given = experiment(**changes)
    path = folder / "own.toml"
    path.write_text(
        f'title = "{given.title}"\nsection = ""\nsummary = "For tests."\nseeds = 2\n'
        '[run]\ntask = "source-localization"\n[quick]\nseeds = 1\nepochs = 3\n'
        '[[grid]]\nname = "all"\nactivation = ["relu", "identity"]\n',
        encoding="utf-8",
    )
    return path


def test_the_claims_on_the_page_are_the_papers(page):
    assert re.findall(r'data-claim="(\w+)"', page) == IDS


def test_the_rows_of_this_repository_make_a_page():
    given = read_rows(Path(__file__).parents[2] / "results")
    kept = Index(given)
    assert all(kept.rows(row.config_hash)[row.seed].key == row.key for row in given)
    whole = render(given)
    for name in config.names():
        section = whole[whole.index(f'<section id="{name}"') :]
        assert "<table" in section[: section.index("</section>")], name
    named = re.findall(r'Its rows as CSV.*?href="#([^"]*)"', whole)
    assert len(named) >= 3
    assert all(f'<article id="{anchor}">' in whole for anchor in named)


def test_rows_of_no_study_are_told(citations):
    given = rows(citations, plausible)
    other = rows(experiment(run={"task": "source-localization", "taps": 9}), plausible)
    told = render([*given, *other], ["citations"])
    assert f"report of {len(given)} runs; {len(other)} rows more belong" in told
    assert "rows more belong" not in render(given, ["citations"])


def test_nothing_is_fetched(page):
    addresses = re.findall(r'(?:src|href)="([^"#]*)"', page)
    assert addresses
    assert {address.split(":")[0] for address in addresses} == {"data"}
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def test_verdicts_are_on_the_page(page):
    row = re.search(r'data-claim="D1".*?</tr>', page, re.DOTALL)[0]
    assert '<span class="verdict confirmed">confirmed</span>' in row
    assert "of 8 hold" in row
    assert re.search(r"\[[+−][\d.]+, [+−][\d.]+\]", row)
    row = re.search(r'data-claim="A3".*?</tr>', page, re.DOTALL)[0]
    assert "not run yet" in row


def test_what_this_shows_is_computed(page):
    of = "of the paper&#39;s 39 numbered claims ("
    assert re.search(rf"<li>Confirmed: \d {re.escape(of)}", page)
    assert f"<li>Not to be tested by these runs: 1 {of}" in page
    assert "against ReLU</span>" in page
    assert "4 better, 0 alike, 0 worse" in page


def test_published_numbers_stand_beside_ours(page):
    section = page[page.index('id="citations"') :]
    table = section[: section.index("</table>")]
    assert "<button" in table
    for printed in ("72.4", "46.5", "80.5", "77.7", "78.8", "78.4"):
        assert f">{printed}</td>" in table


def test_every_table_can_be_downloaded(page, citations):
    links = re.findall(r'download="([^"]+)" href="data:text/csv[^,]*,([^"]+)"', page)
    (name, coded), *_ = links
    assert name.endswith(".csv")
    lines = list(csv.DictReader(io.StringIO(base64.b64decode(coded).decode())))
    expected = {(row.config_hash, str(row.seed)) for row in rows(citations, plausible)}
    assert {(line["config_hash"], line["seed"]) for line in lines} == expected
    assert all(float(line["accuracy last_mean"]) > 0 for line in lines)
    assert page.count('class="download"') == len(links)


def test_circumstances_are_told(page):
    for asked in (
        "Hardware",
        "Computing time",
        "Seeds",
        "Network and training",
        "Data",
    ):
        assert f"<dt>{asked}</dt>" in page
    assert "x86_64 2 cores" in page
    assert "learning rate 0.005" in page


def test_the_quick_form_is_labelled(citations):
    page = render(rows(citations, plausible, quick=True), ["citations"])
    section = page[page.index('id="citations"') :]
    assert (
        "Quick form: not the paper\N{RIGHT SINGLE QUOTATION MARK}s protocol" in section
    )
    row = re.search(r'data-claim="D1".*?</tr>', page, re.DOTALL)[0]
    assert "not run yet" in row


def test_a_part_of_a_study_says_so(citations):
    page = render(rows(citations, plausible)[:100], ["citations"])
    assert "100 of 280 runs are here" in page


def test_an_empty_store_makes_a_page():
    page = render([])
    assert re.findall(r'data-claim="(\w+)"', page) == IDS
    assert "<svg" not in page
    assert "Not run yet: <code>vicinal run citations</code>" in page


def test_an_experiment_of_ones_own(tmp_path):
    path = toml(tmp_path, title="My study")
    page = render(rows(config.load(path), plausible), [str(path)])
    assert "<h2>My study</h2>" in page
    assert 'id="citations"' not in page


def test_text_is_escaped(tmp_path):
    path = toml(tmp_path, title="<b>x</b><script>alert(1)</script>")
    own = config.load(path)
    given = rows(own, plausible)
    given[0].result["machine"] = "<img src=x onerror=alert(2)>"
    page = render(given, [str(path)])
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_page_is_replaced_whole(tmp_path, citations):
    path = tmp_path / "report.html"
    path.write_text("old")
    write(path, rows(citations, plausible), ["citations"])
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_page(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ValueError, match="nowhere"):
        write(path, [], ["nowhere"])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_rows_give_the_same_page(citations):
    given = rows(citations, plausible)
    assert render(given, ["citations"]) == render(given[::-1], ["citations"])


@pytest.mark.parametrize("diverged", [float("nan"), float("inf")])
def test_a_diverged_run_is_shown_and_judged_by_nobody(citations, diverged):
    def score(cell):
        lost = cell.model.activation == "max" and cell.seed == 3
        return diverged if lost else plausible(cell)

    page = render(rows(citations, score), ["citations"])
    row = re.search(r'data-claim="D1".*?</tr>', page, re.DOTALL)[0]
    assert "not confirmed" in row
    assert "no interval" in row
