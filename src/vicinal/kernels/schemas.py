"""The raw operators ``vicinal::*`` by name: what goes in and what comes out."""

from torch.library import Library

__all__ = ["SCHEMAS", "library"]

_CSR = "Tensor indptr, Tensor indices"
_PAIR = "(Tensor, Tensor)"
_TRANSPOSE = "Tensor t_indptr, Tensor t_indices, Tensor t_weight"
SCHEMAS = {
    "select": f"(Tensor x, {_CSR}, int[] rank, bool skip_nan) -> {_PAIR}",
    "select_shared": f"(Tensor x, {_CSR}, int[] rank, bool skip_nan) -> {_PAIR}",
    "select_balls": f"(Tensor x, {_CSR}, int hops, int[] rank, bool skip_nan)"
    f" -> {_PAIR}",
    "maxima": f"(Tensor x, {_CSR}, int hops, bool skip_nan) -> {_PAIR}",
    "combine": f"(Tensor x, Tensor weight, {_CSR}, int[] rank, bool skip_nan,"
    f" bool keep_nodes) -> {_PAIR}",
    "combine_balls": f"(Tensor x, Tensor weight, {_CSR}, int[] rank, bool skip_nan,"
    f" bool keep_nodes) -> {_PAIR}",
    "combine_maxima": f"(Tensor x, Tensor weight, {_CSR}, bool skip_nan,"
    f" bool keep_nodes) -> {_PAIR}",
    "combine_backward": f"(Tensor grad, Tensor x, Tensor weight, Tensor nodes)"
    f" -> {_PAIR}",
    "gather": "(Tensor x, Tensor nodes) -> Tensor",
    "scatter": "(Tensor grad, Tensor nodes, int num_nodes) -> Tensor",
    "tie_spread": f"(Tensor grad, Tensor x, Tensor values, {_CSR}) -> Tensor",
    "tie_mean": f"(Tensor t, Tensor x, Tensor values, {_CSR}) -> Tensor",
    "product": f"(Tensor x, {_CSR}, Tensor weight, {_TRANSPOSE}) -> Tensor",
    "powers": f"(Tensor x, {_CSR}, Tensor weight, {_TRANSPOSE}, int taps) -> Tensor",
    "horner": f"(Tensor terms, {_CSR}, Tensor weight, {_TRANSPOSE}) -> Tensor",
}

library = Library("vicinal", "DEF")
for _name, _schema in SCHEMAS.items():
    library.define(_name + _schema)
