"""Authorship: whether an excerpt is by an author, told from its function words (V-B).

A signal holds how often each function word stands in an excerpt of 1,000 words. The
graph is the author's word adjacency network, built from training excerpts alone.

Texts of your own, ``FOLDER/AUTHOR/*.txt``, take the place of the novels with
``vicinal run authorship --set texts=FOLDER,author=AUTHOR``, words of your own with
``--words FILE``.
"""

from pathlib import Path
from typing import Literal

import numpy as np
import scipy.sparse
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from vicinal.datasets import authorship_split as splits
from vicinal.datasets.attribution import Attribution
from vicinal.datasets.authorship_texts import checksum, read
from vicinal.datasets.excerpts import Excerpts, counts, cut_excerpts
from vicinal.datasets.source import Source
from vicinal.datasets.tokens import Numbers
from vicinal.datasets.wan import Window, adjacency, normalized
from vicinal.graphs import Graph

__all__ = ["SOURCE", "Settings", "load", "network", "profile"]

_SISTERS = {"bronte": "charlotte_bronte", "charlotte_bronte": "bronte"}
_NOT_IN_PAPER = {"charlotte_bronte"}  # its 21 authors have one Bronte


class Settings(BaseModel):
    """What may be set; the defaults are the decisions on what the paper leaves open."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, coerce_numbers_to_str=True
    )  # an author may be called 1984

    author: str = "charlotte_bronte"
    texts: str = ""  # a folder with AUTHOR/*.txt in place of the novels
    words: str = "paper"  # its 211 where they are here, else "own"; or a file's path
    excerpt: int = Field(default=1000, ge=2)  # words
    window: int = Field(default=10, ge=1)  # words
    discount: float = Field(default=0.75, gt=0, le=1)
    cuts: bool = True  # whether windows end at . ! ? ; :
    orientation: Literal["transpose", "forward"] = "transpose"  # A = W^T, or A = W
    scaling: Literal["raw", "zscore"] = "raw"
    split: Literal["random80", "leave-one-book-out"] = "random80"
    validation: float = Field(default=0.0, ge=0, lt=1)  # share of the training part
    exclude_sister: bool = True  # of the novels: the other Bronte is no negative


def load(settings: Settings, seed: int, folder: Path | None = None) -> Attribution:
    """Read all texts, split the author's excerpts, build the network of training ones.

    Args:
        settings: Which author, which words, which network, which split.
        seed: Of the split.
        folder: The user's folder of data sets.
    """
    excerpts = _excerpts(settings, folder)
    split = _split(settings, excerpts, seed)
    train, valid, test = _parts(split)
    chosen = np.concatenate([*split.train, *split.valid, *split.test])
    words, cuts = excerpts.words(chosen), excerpts.cuts(chosen)
    tally = counts(words, len(excerpts.corpus.words)).astype(np.float64)
    graph = network(settings, excerpts, split.train[0])
    x = torch.from_numpy(_scaled(tally, train.numpy(), settings.scaling))
    return Attribution(
        graph,
        x.to(torch.get_default_dtype()).unsqueeze(-1),
        _labels(split),
        train,
        valid,
        test,
        unit="signal",
        num_outputs=2,
        metrics=("error", "accuracy"),
        checksum=_checksum(settings, folder),
        facts=_facts(graph, excerpts, split),
        authors=torch.from_numpy(excerpts.author[chosen]),
        counts=torch.from_numpy(tally),
        words=words,
        cuts=cuts,
        window=_window(settings),
        vocabulary=tuple(excerpts.corpus.words),
    )


def network(settings: Settings, excerpts: Excerpts, chosen: Numbers) -> Graph:
    """The word adjacency network of some excerpts.

    Args:
        settings: Window, discount, cuts, orientation.
        excerpts: All of them.
        chosen: Places of those that count.
    """
    follows = normalized(_pairs(settings, excerpts, chosen))
    matrix = follows.T if settings.orientation == "transpose" else follows
    return Graph.from_scipy(scipy.sparse.csr_array(matrix))


def profile(
    settings: Settings, count: int, folder: Path | None = None
) -> tuple[list[str], Numbers, Numbers]:
    """An author's most frequent words, how they follow each other, their frequency.

    Args:
        settings: Whose texts, which words, which window.
        count: How many words.
        folder: The user's folder of data sets.
    """
    excerpts = _excerpts(settings, folder)
    _require_known(settings.author, excerpts)
    chosen = excerpts.of(settings.author)
    total = counts(excerpts.words(chosen), len(excerpts.corpus.words)).sum(axis=0)
    pairs = _pairs(settings, excerpts, chosen)
    most = np.sort(np.argsort(-total, kind="stable")[:count])
    names = [excerpts.corpus.words[place] for place in most]
    return names, normalized(pairs)[np.ix_(most, most)], total[most]


def _pairs(settings: Settings, excerpts: Excerpts, chosen: Numbers) -> Numbers:
    """How often words follow each other in some excerpts; some must."""
    words, cuts = excerpts.words(chosen), excerpts.cuts(chosen)
    found = adjacency(words, cuts, len(excerpts.corpus.words), _window(settings))
    if not found.any():
        raise ValueError(
            f"`words` must follow each other in the texts of {settings.author!r}, got "
            f"no two of {len(excerpts.corpus.words)} within {settings.window} words; "
            "take words of the texts' language, or more of them"
        )
    return found


def _excerpts(settings: Settings, folder: Path | None) -> Excerpts:
    corpus = read(settings.texts, settings.words, folder)
    return cut_excerpts(corpus, settings.excerpt)


def _split(settings: Settings, excerpts: Excerpts, seed: int) -> splits.Split:
    author = settings.author
    _require_known(author, excerpts)
    left_out = _left_out(settings)
    others = [n for n in excerpts.names if n != author and n not in left_out]
    make = splits.random_split if settings.split == "random80" else splits.by_book
    split = make(excerpts, author, others, seed)
    share = settings.validation
    return splits.with_validation(split, share) if share else split


def _left_out(settings: Settings) -> set[str]:
    """Who is no negative among the novels; of other texts everybody is."""
    if settings.texts:
        return set()
    sister = {_SISTERS.get(settings.author, "")}
    others = _NOT_IN_PAPER - sister
    return others | sister if settings.exclude_sister else others


def _require_known(author: str, excerpts: Excerpts) -> None:
    if author not in excerpts.names:
        raise ValueError(
            f"`author` must be one of {list(excerpts.names)}, got {author!r}"
        )


def _parts(split: splits.Split) -> tuple[Tensor, ...]:
    """Places of the three parts in one array of all excerpts of the split."""
    sizes = [2 * len(part[0]) for part in (split.train, split.valid, split.test)]
    parts: tuple[Tensor, ...] = torch.arange(sum(sizes)).split(sizes)
    return parts


def _labels(split: splits.Split) -> Tensor:
    """1 for the author, 0 for others."""
    parts = (*split.train, *split.valid, *split.test)
    return torch.cat([torch.full((len(p),), 1 - i % 2) for i, p in enumerate(parts)])


def _scaled(tally: Numbers, train: Numbers, scaling: str) -> Numbers:
    """Counts, or their distance from the mean of training in its deviations."""
    if scaling == "raw":
        return tally
    spread = tally[train].std(axis=0)
    centered: Numbers = tally - tally[train].mean(axis=0)
    return centered / np.where(spread > 0, spread, 1.0)


def _facts(
    graph: Graph, excerpts: Excerpts, split: splits.Split
) -> tuple[tuple[str, float], ...]:
    own = sum(len(part[0]) for part in (split.train, split.valid, split.test))
    return (
        ("average_out_degree", graph.num_edges / graph.num_nodes),
        ("words", graph.num_nodes),
        ("excerpts", own),
        ("train", 2 * len(split.train[0])),
        ("valid", 2 * len(split.valid[0])),
        ("test", 2 * len(split.test[0])),
    )


def _window(settings: Settings) -> Window:
    return Window(settings.window, settings.discount, settings.cuts)


def _checksum(settings: Settings, folder: Path | None) -> str:
    return checksum(settings.texts, settings.words, folder)


SOURCE = Source(Settings, load, _checksum)
