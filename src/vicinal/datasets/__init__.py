"""From raw files, or a seed, to a :class:`~vicinal.datasets.task.Task`.

A task is known by name: its settings, how to load it, the checksum of what it reads.
"""

from vicinal.datasets import (
    authorship,
    citations,
    denoising,
    movie_matrix,
    movies,
    source_localization,
)
from vicinal.datasets.source import Source as Source
from vicinal.datasets.task import Task as Task

TASKS: dict[str, Source] = {
    "authorship": authorship.SOURCE,
    "citations": citations.SOURCE,
    "denoising": denoising.SOURCE,
    "movie-ratings": movie_matrix.SOURCE,
    "movies-items": movies.MOVIES,
    "movies-users": movies.USERS,
    "source-localization": source_localization.SOURCE,
}
