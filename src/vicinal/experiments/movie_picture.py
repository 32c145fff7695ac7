"""One movie on the network of users: the ratings it has, and those predicted for all.

The numbers are single users' ratings, which must not be passed on: nothing of this is
stored in rows or shown on the report.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from vicinal.datasets import movies
from vicinal.datasets.rating_splits import split_ratings
from vicinal.datasets.ratings import STARS, rating_matrix
from vicinal.datasets.similarity import COMMON, STRONGEST, similarity_graph
from vicinal.experiments import models
from vicinal.experiments.cell import make_cell
from vicinal.experiments.run import training_of
from vicinal.graphs import Graph
from vicinal.training import fit

__all__ = ["MovieSignals", "movie_signals"]

_TOY_STORY = 1


@dataclass(frozen=True)
class MovieSignals:
    """Stars of one movie on the users' network; zero where a user gave none."""

    graph: Graph
    before: NDArray[np.float64]  # shape: (users,)
    after: NDArray[np.float64]  # shape: (users,)


def movie_signals(
    folder: Path | None = None,
    movie: int = _TOY_STORY,
    *,
    seed: int = 0,
    epochs: int = 40,
    activation: str = "median",
) -> MovieSignals:
    """Train the movie-based network of one movie and ask it for every user.

    Args:
        folder: The user's folder of data sets.
        movie: Its number in the file; 1 is Toy Story.
        seed: Of the split and of the network.
        epochs: Of training.
        activation: Of the network: ``"relu"``, or ``"max"``, ``"median"`` over a hop.
    """
    ratings = movies.read(folder)
    hops = int(activation in ("max", "median"))
    flat = {"task": "movies-items", "target": movie, "activation": activation}
    flat |= {"hops": hops, "shared": True, "epochs": epochs, "batch": 5}
    cell = make_cell(flat, seed, "picture")
    settings: Any = cell.task
    task = movies.make_task(ratings, settings, "movies", seed)
    torch.manual_seed(seed)
    model = models.build(cell.model, task)
    fit(model, task, models.fixed_inputs(model, task), training_of(cell), seed)
    seen = rating_matrix(ratings, split_ratings(ratings, "movies", seed).train)
    before = seen[:, movie - 1].copy()
    asked = torch.from_numpy(seen).to(task.x).unsqueeze(-1)  # (users, movies, 1)
    asked[:, movie - 1] = 0.0
    model.eval()
    with torch.no_grad():
        parts = [model(rows, task.graph).argmax(-1) for rows in asked.split(100)]
    after = torch.cat(parts).double().numpy() + STARS[0]
    return MovieSignals(similarity_graph(seen, STRONGEST, COMMON), before, after)
