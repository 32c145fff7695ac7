"""Parts of pages that are written from the library, so that they cannot go stale.

Before each build, files appear in ``docs/generated/``; the pages include them.
"""

from functools import partial
from pathlib import Path
from typing import Any

from extensions.command_line import command_line
from extensions.reference import reference
from extensions.sets import sets
from extensions.settings import settings
from extensions.studies import results, studies

DOCS = Path(__file__).parents[1]
PARTS = {
    "command-line.md": command_line,
    "data.md": sets,
    "settings.md": settings,
    "studies.md": studies,
    "results.md": results,
    "datasets.md": partial(reference, "vicinal.datasets"),
    "experiments.md": partial(reference, "vicinal.experiments"),
    "report.md": partial(reference, "vicinal.report"),
}


def write(folder: Path) -> None:
    """Write every part; a file that would not change is left alone."""
    folder.mkdir(exist_ok=True)
    for name, text in PARTS.items():
        path, new = folder / name, text()
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Write the parts when a build begins."""
    app.connect("builder-inited", lambda app: write(DOCS / "generated"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
