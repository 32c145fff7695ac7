"""The page in a real browser: headless Chromium, at a desk and on a phone.

The page is copied with a script at its end that clicks, measures and posts what it
found to a page around it, which shows it at the two widths.
"""

import html
import json
import os
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest
from report.synthetic import plausible, rows

from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows
from vicinal.report.html import render

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--enable-logging=stderr",
    "--virtual-time-budget=30000",
    "--dump-dom",
]
RESULTS = Path(__file__).parents[2] / "results"
PROBE = Path(__file__).with_name("probe.js").read_text(encoding="utf-8")
FRAMES = """<!doctype html><pre id="found"></pre><script>
const found = {};
addEventListener("message", (event) => {
  found[event.data.width] = event.data;
  document.getElementById("found").textContent = JSON.stringify(found);
});
</script>
<iframe src="copy.html" style="width:1200px;height:900px;border:0"></iframe>
<iframe src="copy.html" style="width:360px;height:780px;border:0"></iframe>"""


def browse(folder, address):
    """What Chromium makes of a page, and what it said meanwhile."""
    profile = f"--user-data-dir={folder / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *FLAGS, profile, "--window-size=1300,1700", address],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    text = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert text, f"Chromium gave no page: {done.stderr[-2000:]}"
    return json.loads(html.unescape(text[1]) or "{}"), done.stderr


def visit(folder, page):
    """What the probe found at each width, and what the console said."""
    (folder / "copy.html").write_text(
        page + f"<script>{PROBE}</script>", encoding="utf-8"
    )
    (folder / "frames.html").write_text(FRAMES, encoding="utf-8")
    found, said = browse(folder, (folder / "frames.html").as_uri())
    return found, [line for line in said.splitlines() if "CONSOLE" in line]


@pytest.fixture(scope="module")
def page():
    citations = config.find("citations")
    return render(rows(citations, plausible), ["citations"])


@pytest.fixture(scope="module", params=["one study", "all committed rows"])
def pages(request, page):
    if request.param == "one study":
        return page
    return render(read_rows(RESULTS), config.names())


@pytest.fixture(scope="module")
def visited(pages, tmp_path_factory):
    if CHROMIUM is None:
        reason = "no chromium on this machine; apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(f"the page must be tested in a real browser: {reason}")
        pytest.skip(reason)
    return visit(tmp_path_factory.mktemp("browser"), pages)


def test_both_widths_were_seen(visited):
    found, _ = visited
    assert set(found) == {"1200", "360"}


def test_the_console_is_silent(visited):
    _, console = visited
    assert console == []


def test_tables_sort_both_ways(visited):
    found, _ = visited
    tables = found["1200"]["tables"]
    assert len(tables) >= 3
    for table in tables:
        assert table["rising"] == sorted(table["rising"]), table["name"]
        assert table["falling"] == sorted(table["falling"], reverse=True), table["name"]
        assert table["marked"] == "descending"
        assert table["kept"], "sorting must keep every row"


def test_printed_numbers_sort_by_their_value(visited, tmp_path):
    cells = ["90,000", "431", "160 + 150,885 = 151,045", "\u22121.5 | 2", "–", "7 ± 1"]
    body = "".join(f"<tr><td>{cell}</td></tr>" for cell in cells)
    script = (resources.files("vicinal.report") / "sort.js").read_text("utf-8")
    page = (
        '<!doctype html><meta charset="utf-8"><pre id="found"></pre><table><thead><tr>'
        f"<th><button>n</button></th></tr></thead><tbody>{body}</tbody></table>"
        f"<script>{script}</script><script>document.querySelector('button').click();"
        "const cells = [...document.querySelectorAll('td')];"
        "document.getElementById('found').textContent = JSON.stringify("
        "cells.map((cell) => cell.textContent));</script>"
    )
    (tmp_path / "sort.html").write_text(page, encoding="utf-8")
    found, _ = browse(tmp_path, (tmp_path / "sort.html").as_uri())
    assert found == [cells[3], cells[5], cells[1], cells[0], cells[2], cells[4]]


def test_what_is_unknown_stays_last(visited):
    found, _ = visited
    assert any(table["unknown"] for table in found["1200"]["tables"])
    assert all(table["last"] for table in found["1200"]["tables"])


def test_figures_are_not_empty(visited):
    found, _ = visited
    for width in ("1200", "360"):
        figures = found[width]["figures"]
        assert figures
        for figure in figures:
            assert figure["marks"] > 3
            assert figure["texts"] > 2
            assert figure["width"] > 150
            assert figure["height"] > 50


def test_nothing_is_wider_than_the_window(visited):
    found, _ = visited
    for width in ("1200", "360"):
        assert found[width]["overflow"] == 0
        assert found[width]["sticking_out"] == []


def test_a_planted_error_and_a_planted_width_are_found(page, tmp_path):
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine; apt-get install chromium")
    planted = page.replace("<main>", '<main><p style="width:500px">wide</p>')
    planted += "<script>undefinedName()</script><img src='https://example.org/x.png'>"
    found, console = visit(tmp_path, planted)
    assert any("undefinedName" in line for line in console)
    assert any("Content Security Policy" in line for line in console)
    assert found["360"]["overflow"] > 0
