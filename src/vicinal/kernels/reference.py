"""Plain torch implementations: every device, the fallback, and the test oracle.

Rows of equal length are handled together, so that nothing is padded, in tiles of at
most ``TILE`` gathered values: the extra memory is that of one row where rows are wider.

Contract, shared with every other implementation. A row lists node ids in increasing
order. The selected node is the one with the lowest id among those that hold the
selected value; -0.0 equals +0.0. NaN: the first NaN node is selected, or, with
``skip_nan``, NaN nodes are left out of the row. A row with nothing left selects node
-1 and the value 0.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from vicinal.kernels.rank import Rank

__all__ = [
    "accumulator",
    "combine",
    "combine_backward",
    "combine_maxima",
    "gather",
    "horner",
    "maxima",
    "powers",
    "product",
    "scatter",
    "select",
    "tiles",
]

TILE = 2**20  # gathered values at once; about 32 MB with all temporaries
_HALF = (torch.float16, torch.bfloat16)


def select(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (M + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: list[int],
    skip_nan: bool,
) -> tuple[Tensor, Tensor]:  # shapes: (B, M, F), (B, M, F)
    """Pick the node of the given rank in every row; return its value and its id."""
    rule = Rank(*rank)
    values = x.new_zeros(x.size(0), indptr.numel() - 1, x.size(2))
    nodes = torch.full_like(values, -1, dtype=torch.int32)
    for rows, neighbors, batch, features in tiles(x, indptr, indices):
        candidates = x[batch, :, features][:, neighbors]  # (b, r, n, f)
        slot, found = _pick(_widened(candidates), rule, skip_nan)  # (b, r, 1, f)
        chosen = neighbors[None, :, :, None].expand_as(candidates).gather(2, slot)
        kept = candidates.gather(2, slot).masked_fill_(~found, 0)
        values[batch, rows, features] = kept.squeeze(2)
        nodes[batch, rows, features] = _ids(chosen.masked_fill_(~found, -1).squeeze(2))
    return values, nodes


def _pick(v: Tensor, rule: Rank, skip_nan: bool) -> tuple[Tensor, Tensor]:
    """Slot of the first value that equals the ranked one, and whether there is one."""
    missing = v.isnan()
    if skip_nan:
        count = (~missing).sum(2, keepdim=True)
        position = rule.positions(count.clamp(min=1))
        target = v.sort(dim=2).values.gather(2, position)  # NaN sorts last
        return (v == target).byte().argmax(2, keepdim=True), count > 0
    target = v.kthvalue(rule.position(v.size(2)) + 1, dim=2, keepdim=True).values
    hit = torch.where(missing.any(2, keepdim=True), missing, v == target)
    return hit.byte().argmax(2, keepdim=True), torch.ones_like(target, dtype=torch.bool)


def maxima(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    hops: int,
    skip_nan: bool,
) -> tuple[Tensor, Tensor]:  # shapes: (B, hops * N, F), (B, hops * N, F)
    """Iterate the one-hop maximum, carrying the id of the node it came from."""
    num_nodes = x.size(1)
    nobody = num_nodes  # larger than every id
    everyone = torch.arange(num_nodes, dtype=torch.int32, device=x.device)
    ids = everyone[:, None].expand_as(x)
    if skip_nan:
        ids = ids.masked_fill(x.isnan(), nobody)
    nodes = ids.new_empty(x.size(0), hops * num_nodes, x.size(2))
    for step in nodes.split(max(num_nodes, 1), 1)[:hops]:
        ids = _spread_maximum(x, ids, indptr, indices)
        step.copy_(ids)
    nodes.masked_fill_(nodes == nobody, -1)
    return gather(x, nodes), nodes


def _spread_maximum(x: Tensor, ids: Tensor, indptr: Tensor, indices: Tensor) -> Tensor:
    """For every row the carried id whose value is largest, the lowest id on a tie."""
    nobody = x.size(1)
    winners = torch.full_like(ids, nobody)
    for rows, neighbors, batch, features in tiles(x, indptr, indices):
        carried = ids[batch, :, features][:, neighbors]  # (b, r, n, f)
        flat = carried.flatten(1, 2)
        v = x[batch, :, features].gather(1, flat.clamp(max=nobody - 1).long())
        v = _widened(v).masked_fill(flat == nobody, -torch.inf).view_as(carried)
        best = v.amax(2, keepdim=True)  # NaN wins
        tied = torch.where(best.isnan(), v.isnan(), v == best)
        winners[batch, rows, features] = carried.masked_fill_(~tied, nobody).amin(2)
    return winners


def combine(
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    indptr: Tensor,  # shape: (hops * N + 1,)
    indices: Tensor,  # shape: (nnz,)
    rank: list[int],
    skip_nan: bool,
    keep_nodes: bool,
) -> tuple[Tensor, Tensor]:  # shapes: (B, N, F), (B, hops * N, F) or (B, 0, F)
    """Weigh each node's own value and the selected ones of all its rows."""
    values, nodes = select(x, indptr, indices, rank, skip_nan)
    return _weighted(x, values, weight), nodes if keep_nodes else nodes[:, :0].clone()


def combine_maxima(
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    skip_nan: bool,
    keep_nodes: bool,
) -> tuple[Tensor, Tensor]:  # shapes: (B, N, F), (B, hops * N, F) or (B, 0, F)
    """Weigh each node's own value and its maxima over 1, ..., hops steps."""
    values, nodes = maxima(x, indptr, indices, weight.size(0) - 1, skip_nan)
    return _weighted(x, values, weight), nodes if keep_nodes else nodes[:, :0].clone()


def _weighted(x: Tensor, values: Tensor, weight: Tensor) -> Tensor:
    total = weight[0] * x
    for k, value in enumerate(values.unflatten(1, (-1, x.size(1))).unbind(1)):
        total = total + weight[k + 1] * value
    return total


def combine_backward(
    grad: Tensor,  # shape: (B, N, F)
    x: Tensor,  # shape: (B, N, F)
    weight: Tensor,  # shape: (hops + 1,) or (hops + 1, F)
    nodes: Tensor,  # shape: (B, hops * N, F)
) -> tuple[Tensor, Tensor]:  # shapes: (B, N, F) and that of weight
    """Gradients of a combination by its signal and by its weights.

    Every hop sends ``grad`` back to the nodes it selected; the node's own share is
    ``grad`` itself. Sums over rows are in double. Where they are zero, nothing is added
    to the gradient of a weight, whatever the signal.
    """
    wide = grad.double()
    selected = nodes.unflatten(1, (-1, x.size(1))).unbind(1) if nodes.numel() else ()
    shares = [wide, *(scatter(wide, chosen, x.size(1)) for chosen in selected)]
    grad_x = weight[0] * grad
    for factor, share in zip(weight[1:], shares[1:], strict=nodes.numel() > 0):
        grad_x = grad_x + factor * share.to(x.dtype)
    axes = (0, 1) if weight.dim() == 2 else (0, 1, 2)
    terms = [(share * x.double()).masked_fill(share == 0, 0) for share in shares]
    by_weight = torch.zeros_like(weight)
    for k, term in enumerate(terms):
        by_weight[k] = term.sum(axes)
    return grad_x, by_weight


def scatter(
    grad: Tensor,  # shape: (B, M, F)
    nodes: Tensor,  # shape: (B, M, F)
    num_nodes: int,
) -> Tensor:  # shape: (B, num_nodes, F)
    """Send every entry to the node it was taken from, row after row."""
    shape = (grad.size(0), num_nodes, grad.size(2))
    total = grad.new_zeros(shape, dtype=accumulator(grad.dtype))
    for rows in _row_chunks(grad):
        chosen = nodes[:, rows]
        sent = _widened(grad[:, rows]).masked_fill(chosen < 0, 0)
        total.scatter_add_(1, chosen.clamp(min=0).long(), sent)
    return total.to(grad.dtype)


def gather(
    x: Tensor,  # shape: (B, N, F)
    nodes: Tensor,  # shape: (B, M, F)
) -> Tensor:  # shape: (B, M, F)
    """Take the value of the given node for every entry, 0 for node -1."""
    values = x.new_empty(nodes.shape)
    for rows in _row_chunks(nodes):
        chosen = nodes[:, rows]
        taken = x.gather(1, chosen.clamp(min=0).long())
        values[:, rows] = taken.masked_fill_(chosen < 0, 0)
    return values


def _row_chunks(t: Tensor) -> Iterator[slice]:
    """Cut the rows of ``(B, M, F)`` so that a chunk holds at most a tile of values."""
    rows = max(TILE // max(t.size(0) * t.size(2), 1), 1)
    return (slice(begin, begin + rows) for begin in range(0, t.size(1), rows))


def product(
    x: Tensor,  # shape: (N, C)
    indptr: Tensor,  # shape: (M + 1,)
    indices: Tensor,  # shape: (nnz,)
    weight: Tensor,  # shape: (nnz,)
) -> Tensor:  # shape: (M, C)
    """Multiply a sparse matrix in CSR form by a dense one."""
    size = (indptr.numel() - 1, x.size(0))
    wide = x.float() if x.dtype in _HALF else x
    matrix = torch.sparse_csr_tensor(
        indptr, indices.to(indptr.dtype), weight.to(wide.dtype), size
    )
    with torch.autocast(x.device.type, enabled=False):  # knows no half sparse matrices
        return (matrix @ wide.contiguous()).to(x.dtype)


def powers(
    x: Tensor,  # shape: (B, N, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    weight: Tensor,  # shape: (nnz,)
    taps: int,
) -> Tensor:  # shape: (B, N, taps, F)
    """Multiply by the powers 0, ..., taps - 1 of a square sparse matrix."""
    shifted = [_widened(x).transpose(0, 1).flatten(1)]  # (N, B * F)
    for _ in range(taps - 1):
        shifted.append(product(shifted[-1], indptr, indices, weight))
    stacked = torch.stack(shifted, 1).view(x.size(1), taps, x.size(0), x.size(2))
    return stacked.permute(2, 0, 1, 3).contiguous().to(x.dtype)


def horner(
    terms: Tensor,  # shape: (B, N, taps, F)
    indptr: Tensor,  # shape: (N + 1,)
    indices: Tensor,  # shape: (nnz,)
    weight: Tensor,  # shape: (nnz,)
) -> Tensor:  # shape: (B, N, F)
    """Sum the terms, each multiplied by its power of a square sparse matrix."""
    columns = _widened(terms).permute(2, 1, 0, 3).flatten(2)  # (taps, N, B * F)
    u = columns[-1]
    for term in columns[:-1].flip(0):
        u = term + product(u, indptr, indices, weight)
    total = u.view(terms.size(1), terms.size(0), terms.size(3)).transpose(0, 1)
    return total.contiguous().to(terms.dtype)


def tiles(
    x: Tensor, indptr: Tensor, indices: Tensor
) -> Iterator[tuple[Tensor, Tensor, slice, slice]]:
    """Cut all rows into tiles: row numbers, their neighbours, batch and features."""
    num_batches, _, num_features = x.shape
    if num_batches == 0 or num_features == 0:
        return
    for width, rows in _rows_by_width(indptr):
        slot = torch.arange(width, device=x.device)
        wide = max(TILE // width, 1)  # values per neighbour that fit into a tile
        features = min(num_features, wide)
        batch = min(num_batches, max(wide // features, 1))
        for part in rows.split(max(wide // (batch * features), 1)):
            neighbors = indices[indptr[part, None] + slot].long()  # (r, n)
            for b in range(0, num_batches, batch):
                for f in range(0, num_features, features):
                    yield part, neighbors, slice(b, b + batch), slice(f, f + features)


def _rows_by_width(indptr: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Group the rows that are not empty by their number of neighbours."""
    widths, order = indptr.diff().sort(stable=True)
    distinct, sizes = widths.unique_consecutive(return_counts=True)
    for width, rows in zip(distinct.tolist(), order.split(sizes.tolist()), strict=True):
        if width:
            yield width, rows


def _widened(v: Tensor) -> Tensor:
    return v.float() if v.dtype in _HALF else v


def accumulator(dtype: torch.dtype) -> torch.dtype:
    """The precision of sums of so precise values."""
    return torch.float32 if dtype in _HALF else dtype


def _ids(nodes: Tensor) -> Tensor:
    return nodes.to(torch.int32)
