r"""One network for all users and movies: it completes columns of ratings.

A signal is a movie, a node a user. Of the ratings that are shown, :math:`m_{vi} = 1`,
the network sees what they say beyond their biases, and where they are:

.. math:: \hat Y_{ui} = b_{ui} + \Phi(x_i; S)_u, \qquad
    x_{vi} = \bigl( m_{vi} (Y_{vi} - b_{vi}),\; m_{vi} \bigr)

with :math:`b_{ui}` of ``vicinal.baselines.ratings.biases`` and S the network of
similar users, both of shown ratings only, and a readout that is the same at every user.

The training ratings fall into five parts. Each epoch hides one of them, makes biases,
network and signals of the others, and asks for the hidden ratings: a rating that is
asked for never had a say in the network that answers. At the end all of the training
ratings are shown. The epoch with the lowest error on validation ratings counts.
"""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module

from vicinal.baselines.ratings import biases
from vicinal.datasets.ratings import STARS
from vicinal.datasets.similarity import COMMON, STRONGEST, similarity_graph
from vicinal.experiments.settings import TrainingSettings
from vicinal.graphs import Graph
from vicinal.training import History

__all__ = ["FEATURES", "Columns", "columns", "complete"]

FEATURES = 2  # of a node: what its rating says beyond its biases, and whether it rated
_FOLDS = 5


@dataclass(frozen=True)
class Columns:
    """What a network sees of shown ratings, a signal for each movie."""

    graph: Graph  # of users
    base: Tensor  # shape: (M, U), stars
    x: Tensor  # shape: (M, U, 2)


def columns(shown: Tensor) -> Columns:
    """Network, biases and signals of some ratings.

    Args:
        shown: Ratings ``(U, M)``, zero where there is none or it is hidden.

    Example:
        >>> seen = columns(torch.tensor([[5.0, 0.0], [5.0, 5.0]]))
        >>> seen.x[:, :, 1]
        tensor([[1., 1.],
                [0., 1.]])
        >>> seen.x[:, :, 0].abs().max()
        tensor(0.)
    """
    graph = similarity_graph(shown.double().numpy(), STRONGEST, COMMON)
    base, rated = biases(shown).T, (shown.T > 0).to(shown)
    x = torch.stack([rated * (shown.T - base), rated], dim=-1)
    return Columns(graph, base.contiguous(), x)


def complete(
    model: Module,
    known: Tensor,  # shape: (U, M), zero where unrated
    pairs: Tensor,  # shape: (m, 2), user and movie of each validation rating
    stars: Tensor,  # shape: (m,), the validation ratings
    training: TrainingSettings,
    seed: int,
) -> tuple[Tensor, History]:  # shape: (U, M)
    """Train a network on known ratings, and let it say all of them.

    Args:
        model: Called as ``model(x, graph)``, ``(B, U, 2)`` to ``(B, U, 1)``; left with
            the parameters of the best epoch.
        known: Training ratings.
        pairs: Where the validation ratings are.
        stars: What they are.
        training: Epochs, movies per step, learning rate, weight decay.
        seed: Of the parts, and of the order of movies.

    Example:
        >>> from vicinal import nn
        >>> known = (torch.arange(240).view(12, 20) * 7 % 5 + 1).float()
        >>> pairs, stars = torch.tensor([[0, 0]]), known[0, :1].clone()
        >>> known[0, 0] = 0
        >>> given = TrainingSettings(epochs=2)
        >>> said, history = complete(nn.GNN(2, [4], 1), known, pairs, stars, given, 0)
        >>> said.shape, len(history.valid_loss)
        (torch.Size([12, 20]), 2)
    """
    torch.manual_seed(seed)
    parts = _parts(known)
    folds = [(columns(known * (parts != k)), (parts == k).T) for k in range(_FOLDS)]
    everything, history = columns(known), History()
    optimizer = torch.optim.Adam(
        model.parameters(),
        lr=training.learning_rate,
        weight_decay=training.weight_decay,
    )
    for epoch in range(training.epochs):
        fold = folds[epoch % _FOLDS]
        history.train_loss.append(_epoch(model, *fold, known.T, optimizer, training))
        said = _answers(model, everything, training.batch)
        errors = said[pairs[:, 0], pairs[:, 1]] - stars
        history.valid_loss.append(float(errors.square().mean()))
        if history.best == epoch:
            history.best_state = copy.deepcopy(model.state_dict())
    if history.best_state is not None:
        model.load_state_dict(history.best_state)
    return _answers(model, everything, training.batch), history


def _parts(known: Tensor) -> Tensor:  # shape: (U, M), int64
    """The number of each rating's part, drawn at random; -1 where unrated."""
    parts = torch.full(known.shape, -1)
    users, movies = known.nonzero(as_tuple=True)
    parts[users, movies] = torch.randperm(len(users)) % _FOLDS
    return parts


def _epoch(
    model: Module,
    shown: Columns,
    hidden: Tensor,  # shape: (M, U), bool
    stars: Tensor,  # shape: (M, U)
    optimizer: torch.optim.Optimizer,
    training: TrainingSettings,
) -> float:
    """Ask once for every hidden rating; the mean squared error of the answers."""
    model.train()
    total = 0.0
    asked = hidden.any(1).nonzero().squeeze(1)
    for movies in _batches(asked[torch.randperm(len(asked))], training.batch):
        optimizer.zero_grad()
        said = shown.base[movies] + model(shown.x[movies], shown.graph).squeeze(-1)
        errors = (said - stars[movies])[hidden[movies]]
        loss = errors.square().mean()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * len(errors)
    return total / max(int(hidden.sum()), 1)


def _answers(model: Module, shown: Columns, batch: int) -> Tensor:  # shape: (U, M)
    model.eval()
    with torch.no_grad():
        beyond = [
            model(shown.x[movies], shown.graph).squeeze(-1)
            for movies in _batches(torch.arange(len(shown.base)), batch)
        ]
    return (shown.base + torch.cat(beyond)).clamp(*STARS).T


def _batches(movies: Tensor, batch: int) -> tuple[Tensor, ...]:
    parts: tuple[Tensor, ...] = movies.split(batch or max(len(movies), 1))
    return parts
