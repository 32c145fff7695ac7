"""``vicinal list`` and ``show``: what there is to run, and what it costs."""

from pathlib import Path

import typer

from vicinal.cli.options import AsJson, Data, Name, Quick, StorePath, require_folder
from vicinal.cli.progress import as_json, duration

__all__ = ["list_experiments", "show"]


def list_experiments(machine: AsJson = False) -> None:
    """List the experiments: section of the paper, cells, hours on this machine."""
    from vicinal.cli.screen import table
    from vicinal.experiments import config
    from vicinal.experiments.pool import cores

    facts = []
    for name in config.names():
        experiment = config.find(name)
        cells = config.distinct(experiment)
        cost = config.seconds(experiment, cells) / cores()
        facts.append((name, experiment.section, experiment.title, len(cells), cost))
    if machine:
        for name, section, title, count, cost in facts:
            as_json({"name": name, "section": section, "title": title,
                     "cells": count, "seconds": round(cost)})  # fmt: skip
        return
    rows = [[*map(str, fact[:-1]), duration(fact[-1])] for fact in facts]
    table(["name", "paper", "what", "cells", "about"], rows)


def show(
    name: Name,
    quick: Quick = False,
    store: StorePath = Path("vicinal.sqlite"),
    data: Data = None,
) -> None:
    """Show the blocks of an experiment, its cells and what they will cost."""
    from vicinal.cli.screen import table
    from vicinal.experiments import config
    from vicinal.experiments.pool import cores
    from vicinal.experiments.runner import missing
    from vicinal.experiments.store import Store

    experiment = config.find(name)
    require_folder(data)
    kept = Store(store, readonly=True) if store.exists() else Store(Path(":memory:"))
    typer.echo(f"{experiment.title}\n{experiment.summary}\n")
    rows = []
    for block in config.blocks(experiment, quick):
        todo = len(missing(block.cells, kept, data))
        seeds = len({cell.seed for cell in block.cells})
        count = str(len(block.cells))
        rows.append([block.name, ", ".join(block.varies), str(seeds), count, str(todo)])
    table(["block", "varies", "seeds", "cells", "to run"], rows)
    left = missing(config.distinct(experiment, quick), kept, data)
    cost = duration(config.seconds(experiment, left) / cores())
    typer.echo(f"{len(left)} cells to run, about {cost} on {cores()} cores")
