"""What each study runs, and what came out where rows are committed."""

from pathlib import Path

from extensions.markdown import table
from vicinal.experiments import config
from vicinal.experiments.exchange import read_rows
from vicinal.experiments.row import Row
from vicinal.report import tables
from vicinal.report.results import Index, study

ROWS = Path(__file__).parents[2] / "results"
NOTHING = "No rows are committed yet: run a study, then `vicinal report`.\n"


def studies() -> str:
    """One line for each experiment: section, cells, seeds, time, rows."""
    rows = _rows()
    return table(
        ["name", "paper", "what", "cells", "seeds", "estimate", "quick", "measured"],
        (_line(config.find(name), rows) for name in config.names()),
    )


def results() -> str:
    """The tables of all experiments that have rows under ``results/``."""
    rows = _rows()
    parts = []
    for name in config.names():
        experiment = config.find(name)
        found = [t for t in tables.tables(experiment, rows) if t.lines]
        if found:
            form = " Quick form only." if study(experiment, Index(rows)).quick else ""
            parts.append(f"## {experiment.title}\n\n{experiment.summary}{form}\n")
            parts += [f"### {t.name}\n\n{tables.markdown(t)}\n" for t in found]
    return "\n".join(parts) if parts else NOTHING


def _rows() -> list[Row]:
    """Rows of all files, each once: two studies may share some."""
    rows = read_rows(ROWS) if ROWS.is_dir() else []
    return list({row.key: row for row in rows}.values())


def _line(experiment: config.Experiment, rows: list[Row]) -> list[str]:
    full, quick = _keys(experiment, False), _keys(experiment, True)
    seconds = [
        row.result["seconds"] for row in rows if (row.config_hash, row.seed) in full
    ]
    measured = f"{len(seconds)} rows, {_hours(sum(seconds))}" if seconds else "–"
    return [
        f"`{experiment.name}`",
        experiment.section or "ours",
        experiment.title,
        str(len(full)),
        str(len({seed for _, seed in full})),
        _hours(config.seconds(experiment, config.distinct(experiment))),
        f"{len(quick)} cells",
        measured,
    ]


def _keys(experiment: config.Experiment, quick: bool) -> set[tuple[str, int]]:
    found = config.blocks(experiment, quick)
    return {(cell.config_hash, cell.seed) for block in found for cell in block.cells}


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.0f} min"
