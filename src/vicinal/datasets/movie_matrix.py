"""All movie ratings as one task: for systems that complete the whole matrix at once.

Splits are those of the tables of single users, or of single movies: one fit answers for
all targets, and the test ratings of each target are scored on their own too.
"""

import io
import zipfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from vicinal.datasets import download
from vicinal.datasets.catalog import checksum
from vicinal.datasets.movies import NAME, read
from vicinal.datasets.rating_splits import (
    Side,
    Split,
    SplitName,
    most_rated,
    split_ratings,
)
from vicinal.datasets.ratings import Ratings, rating_matrix
from vicinal.datasets.similarity import COMMON, STRONGEST, pearson, strongest
from vicinal.datasets.source import Source
from vicinal.datasets.task import Task
from vicinal.graphs import Graph

__all__ = ["SOURCE", "Settings", "load", "make_task"]


class Settings(BaseModel):
    """Which split, and which network of users and movies."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    targets: Side = "users"  # of which table the split is
    split: SplitName = "random"
    network: Literal["rated", "features", "similar"] = "rated"
    validated: bool = False  # hold out a validation part, of the network too


def load(settings: Settings, seed: int, folder: Path | None = None) -> Task:
    """Read MovieLens 100k.

    Args:
        settings: Which split, which network.
        seed: Of the split.
        folder: The user's folder of data sets; the usual places come after it.
    """
    features = b""
    if settings.network == "features":
        features = download.content(NAME, "feature-graphs.npz", folder)
    return make_task(read(folder), settings, seed, features)


def make_task(
    ratings: Ratings, settings: Settings, seed: int, features: bytes = b""
) -> Task:
    """The task of all ratings: a sample is a pair of user and movie; see :func:`load`.

    Movies are numbered after the users in its graph. It joins users with the movies
    that they rated in the training part (``"rated"``), or users with users and movies
    with movies: alike in age, gender, occupation, and in genres (``"features"``), or
    the 40 most similar by training ratings (``"similar"``).
    """
    split = split_ratings(
        ratings,
        settings.targets,
        seed,
        name=settings.split,
        validated=settings.validated,
    )
    train, valid, test = map(torch.from_numpy, (split.train, split.valid, split.test))
    pairs = torch.from_numpy(np.stack([ratings.users, ratings.movies], axis=1))
    stars = torch.from_numpy(ratings.stars).to(torch.get_default_dtype())
    column = 0 if settings.targets == "users" else 1
    targets = most_rated(ratings, settings.targets)
    adjacency = _network(settings, rating_matrix(ratings, split.train), features)
    return Task(
        Graph.from_scipy(adjacency),
        pairs,
        stars.unsqueeze(-1),
        train,
        valid,
        test,
        unit="signal",
        num_outputs=1,
        loss="mse",
        metrics=("rmse_clipped",),
        checksum=_checksum(settings),
        facts=_facts(split),
        parts=tuple(
            (str(node + 1), test[pairs[test, column] == node]) for node in targets
        ),
    )


def _facts(split: Split) -> tuple[tuple[str, float], ...]:
    sizes = {"train": len(split.train), "valid": len(split.valid)}
    sizes |= {"test": len(split.test)}
    return tuple((name, size) for name, size in sizes.items() if size)


def _checksum(settings: Settings, folder: Path | None = None) -> str:
    """Of the published files that these settings read."""
    return checksum(NAME, optional=settings.network == "features")


def _network(settings: Settings, seen: NDArray[np.float64], features: bytes) -> Any:
    if settings.network == "rated":
        ratings = scipy.sparse.csr_array(seen)
        both: Any = [[None, ratings], [ratings.T, None]]
        return scipy.sparse.block_array(both, format="csr")
    if settings.network == "features":
        blocks = _feature_edges(features, seen.shape)
    else:
        blocks = [
            strongest(pearson(m, COMMON), STRONGEST, False) for m in (seen, seen.T)
        ]
    return scipy.sparse.block_diag(blocks, format="csr")


def _feature_edges(content: bytes, sizes: tuple[int, ...]) -> list[Any]:
    """Adjacencies of users and of movies from their lists of edges."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            edges = [arrays[name] for name in ("users", "movies")]
            return [
                scipy.sparse.coo_array((np.ones(e.shape[1]), tuple(e)), shape=(n, n))
                for e, n in zip(edges, sizes, strict=True)
            ]
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"`feature-graphs.npz` must hold two lists of edges, got an error: {error}"
        ) from None


SOURCE = Source(Settings, load, _checksum)
