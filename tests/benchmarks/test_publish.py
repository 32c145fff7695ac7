"""The table reaches the documentation as it was printed."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.publish import BEGIN, END, published


def test_the_table_replaces_the_last_one_and_nothing_else():
    page = f"# Cost\n\nwords\n{BEGIN}\nold\n{END}\nmore words\n"
    table = "# Benchmark\n\n- load average: 1\n\n## Activations\n\n| a |\n"
    found = published(page, table)
    body = "- load average: 1\n\n### Activations\n\n| a |"
    assert found == f"# Cost\n\nwords\n{BEGIN}\n{body}\n{END}\nmore words\n"
    assert published(found, table) == found


def test_the_page_has_its_marks():
    page = (Path(__file__).parents[2] / "docs" / "performance.md").read_text()
    assert page.index(BEGIN) < page.index(END)
