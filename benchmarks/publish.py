"""Put the table of the last run into the documentation, as it was printed.

``python benchmarks/publish.py [DIR]`` copies ``DIR/benchmark.md`` between the two marks
of ``docs/performance.md`` and ``DIR/scaling.svg`` beside it.
"""

import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def published(page, table):
    """The page with another table between its marks."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    lines = table.strip().splitlines()[1:]  # the page has a title of its own
    lowered = [f"#{line}" if line.startswith("## ") else line for line in lines]
    body = "\n".join(lowered).strip()
    return f"{before}{BEGIN}\n{body}\n{END}{after}"


def main(folder):
    """Read, replace, write."""
    page = DOCS / "performance.md"
    table = (folder / "benchmark.md").read_text()
    page.write_text(published(page.read_text(), table))
    if (folder / "scaling.svg").is_file():
        shutil.copy(folder / "scaling.svg", DOCS / "scaling.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "output"))
