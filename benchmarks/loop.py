"""A plain loop over the nodes, our own: what a straightforward implementation does.

For each node: gather its neighbours, reduce, and put the results side by side. Written
from the definition, and nobody's code but ours. ``torch.median`` takes the lower of two
middle values, where the library takes the upper one; the work is the same.
"""

import torch


def balls_of(neighborhoods):
    """Every neighbourhood as a tensor of node ids, ahead of the loop."""
    widths = neighborhoods.indptr.diff().tolist()
    return neighborhoods.indices.long().split(widths)


def local_loop(x, balls, hops, reduce):
    """Reduce ``(B, N, F)`` over each ball of each hop: ``(B, hops, N, F)``."""
    values = []
    for ball in balls:
        gathered = x[:, ball]  # (B, n, F)
        if reduce == "max":
            value = torch.max(gathered, dim=1, keepdim=True).values
        else:
            value = torch.median(gathered, dim=1, keepdim=True).values
        values.append(value)
    return torch.cat(values, dim=1).unflatten(1, (hops, x.size(1)))
