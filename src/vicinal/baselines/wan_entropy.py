"""Relative entropy of word adjacency networks: which author's chain is nearest.

S. Segarra, M. Eisen, A. Ribeiro: Authorship attribution through function word adjacency
networks. IEEE Transactions on Signal Processing 63(20), 2015.
"""

import torch
from torch import Tensor

__all__ = ["relative_entropy", "stationary"]

_STEPS = 100  # of the chain; a lazy one of few hundred words has settled by then


def relative_entropy(
    text: Tensor,  # shape: (N, N)
    profiles: Tensor,  # shape: (A, N, N)
) -> Tensor:  # shape: (A,)
    r"""Relative entropy of a text's chain to the chains of authors, in nats.

    .. math:: H(P, Q) = \sum_{i,j} \pi_i P_{ij} \log \frac{P_{ij}}{Q_{ij}}

    over the pairs that the text and all authors have, with :math:`\pi` the stationary
    distribution of :math:`P`. Were each author's own pairs counted, one who has fewer
    of a text's pairs would have the shorter sum and seem nearer.

    Args:
        text: Transition probabilities; rows that are zero stand for words not there.
        profiles: The same of each author.

    Example:
        >>> text = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        >>> other = torch.tensor([[0.5, 0.5], [0.5, 0.5]])
        >>> relative_entropy(text, torch.stack([text, other]))
        tensor([0.0000, 0.6931], dtype=torch.float64)
    """
    chain, others = text.double(), profiles.double()
    weight = stationary(chain)[:, None] * chain  # (N, N)
    shared = (chain > 0) & (others > 0).all(0)  # (N, N)
    ratio = chain[shared] / others[:, shared]  # (A, pairs)
    return ratio.log() @ weight[shared]


def stationary(
    chain: Tensor,  # shape: (N, N)
) -> Tensor:  # shape: (N,)
    r"""Where a chain is in the long run: :math:`\pi = \pi P`, sums to 1.

    A word without successors is followed by any word, all alike. The chain is made
    lazy, :math:`(I + P) / 2`, which leaves :math:`\pi` as it is and lets it settle.

    Example:
        >>> stationary(torch.tensor([[0.5, 0.5], [1.0, 0.0]]))
        tensor([0.6667, 0.3333], dtype=torch.float64)
    """
    inputs = chain.double()
    size = len(inputs)
    empty = inputs.sum(1, keepdim=True) == 0
    full = torch.where(empty, 1.0 / size, inputs)
    share = inputs.new_full((size,), 1.0 / size)
    for _ in range(_STEPS):
        share = (share + share @ full) / 2
    return share / share.sum()
