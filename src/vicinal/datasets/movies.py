"""Movie ratings: the stars of one user, or of one movie, told from the others (V-C).

A sample of a target user is a movie: the stars that all other users gave it in the
training part, on a network of similar users. A sample of a target movie is a user. The
target's own entry is zero in every signal; its test and validation ratings enter
neither the network nor a signal nor a mean.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from vicinal.datasets import download
from vicinal.datasets.catalog import checksum
from vicinal.datasets.rating_splits import (
    TARGETS,
    Side,
    Split,
    SplitName,
    most_rated,
    split_ratings,
)
from vicinal.datasets.ratings import STARS, Ratings, parse_ratings, rating_matrix
from vicinal.datasets.similarity import COMMON, STRONGEST, similarity_graph
from vicinal.datasets.source import Source
from vicinal.datasets.task import Task

__all__ = ["MOVIES", "NAME", "USERS", "Settings", "load", "make_task", "read"]

NAME = "ml-100k"
_CLASSES = STARS[1] - STARS[0] + 1


class Settings(BaseModel):
    """What may be set; the defaults are the decisions on what the paper leaves open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    target: int = Field(ge=1)  # number of the user, or movie, in the file
    split: SplitName = "random"
    common: int = Field(COMMON, ge=1)  # fewest ratings that two similar nodes share
    strongest: int = Field(STRONGEST, ge=1)  # most similar nodes that feed a node
    signed: bool = False  # whether negative correlations may feed a node
    visible: Literal["train", "all"] = "train"  # whose ratings signals may show
    centered: bool = False  # stars less the mean of their node, in the training part
    head: Literal["classes", "regression"] = "classes"
    validated: bool = False  # hold out a validation part, of the network too


class UserSettings(Settings):
    """Of the user-based task: its first target is the user with most ratings."""

    target: int = Field(405, ge=1)


class MovieSettings(Settings):
    """Of the movie-based task: its first target is the movie with most ratings."""

    target: int = Field(50, ge=1)


@dataclass(frozen=True)
class _Samples:
    """Lines of the target, by part, and the others' node of each: a movie or a user."""

    lines: NDArray[np.int64]
    others: NDArray[np.int64]
    parts: tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def read(folder: Path | None = None) -> Ratings:
    """The published ratings, checked."""
    return parse_ratings(download.content(NAME, "u.data", folder))


def load(settings: Settings, side: Side, seed: int, folder: Path | None = None) -> Task:
    """Read MovieLens 100k and make the task of one target.

    Args:
        settings: Which target, which network, which form of answer.
        side: Whether the target is a user or a movie.
        seed: Of the split.
        folder: The user's folder of data sets; the usual places come after it.
    """
    return make_task(read(folder), settings, side, seed)


def make_task(ratings: Ratings, settings: Settings, side: Side, seed: int) -> Task:
    """The task of one target on one split of ratings; see :func:`load`."""
    split = split_ratings(
        ratings, side, seed, name=settings.split, validated=settings.validated
    )
    node = _target(ratings, side, settings.target)
    samples = _samples(ratings, side, node, split)
    seen = _by_node(rating_matrix(ratings, split.train), side)
    graph = similarity_graph(seen, settings.strongest, settings.common, settings.signed)
    shown = seen
    if settings.visible == "all":
        shown = _by_node(rating_matrix(ratings, np.arange(len(ratings.stars))), side)
    shown = _centered(shown, seen) if settings.centered else shown
    x = shown[:, samples.others].T.copy()  # (B, N)
    x[:, node] = 0.0
    dtype = torch.get_default_dtype()
    classes = settings.head == "classes"
    stars = torch.from_numpy(ratings.stars[samples.lines])
    return Task(
        graph,
        torch.from_numpy(x).to(dtype).unsqueeze(-1),
        stars - STARS[0] if classes else stars.to(dtype).unsqueeze(-1),
        *samples.parts,
        unit="signal",
        num_outputs=_CLASSES if classes else 1,
        loss="cross_entropy" if classes else "mse",
        metrics=("rmse_argmax", "rmse_expected") if classes else ("rmse_clipped",),
        checksum=checksum(NAME),
        facts=_facts(samples, split, graph.num_edges / graph.num_nodes),
    )


def _target(ratings: Ratings, side: Side, number: int) -> int:
    count = ratings.num_users if side == "users" else ratings.num_movies
    if number > count:
        raise ValueError(f"`target` must be in 1..{count}, got {number}")
    return number - 1


def _samples(ratings: Ratings, side: Side, node: int, split: Split) -> _Samples:
    nodes, others = ratings.users, ratings.movies
    if side == "movies":
        nodes, others = others, nodes
    own = [part[nodes[part] == node] for part in (split.train, split.valid, split.test)]
    if not len(own[0]) or not len(own[2]):
        raise ValueError(
            f"`target` must have ratings to learn from and to be judged by, got "
            f"{side[:-1]} {node + 1} with {len(own[0])} and {len(own[2])}; one of the "
            f"{TARGETS} {side} with most ratings has both on every split: "
            f"{[known + 1 for known in most_rated(ratings, side)]}"
        )
    lines = np.concatenate(own)
    train, valid, test = torch.arange(len(lines)).split([len(part) for part in own])
    return _Samples(lines, others[lines], (train, valid, test))


def _by_node(matrix: NDArray[np.float64], side: Side) -> NDArray[np.float64]:
    return matrix if side == "users" else matrix.T


def _centered(
    shown: NDArray[np.float64], seen: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Stars less the mean of the node's training ratings; zero stays unrated."""
    counts = np.maximum((seen > 0).sum(axis=1), 1)
    means = seen.sum(axis=1) / counts
    return np.where(shown > 0, shown - means[:, None], 0.0)


def _facts(
    samples: _Samples, split: Split, degree: float
) -> tuple[tuple[str, float], ...]:
    train, valid, test = map(len, samples.parts)
    return (
        ("train", train),
        ("valid", valid),
        ("test", test),
        ("graph ratings", len(split.train)),
        ("mean degree", degree),
    )


def _load_users(settings: UserSettings, seed: int, folder: Path | None = None) -> Task:
    return load(settings, "users", seed, folder)


def _load_movies(
    settings: MovieSettings, seed: int, folder: Path | None = None
) -> Task:
    return load(settings, "movies", seed, folder)


def _checksum(settings: BaseModel, folder: Path | None) -> str:
    """Of the published file; every copy is compared with it when it is read."""
    return checksum(NAME)


USERS = Source(UserSettings, _load_users, _checksum)
MOVIES = Source(MovieSettings, _load_movies, _checksum)
