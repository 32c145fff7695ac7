"""Cora as one package carries it, turned back into the original text files.

The Python package graphdatascience holds the same papers in the same order as two
Parquet tables. Written out as text they are, byte for byte, the files of the publisher,
so that the same checksum holds and one reader is enough.
"""

import io
from typing import Any

__all__ = ["text_files"]

_SUBJECTS = (  # by their number in the table
    "Neural_Networks",
    "Rule_Learning",
    "Reinforcement_Learning",
    "Probabilistic_Methods",
    "Theory",
    "Genetic_Algorithms",
    "Case_Based",
)


def text_files(members: dict[str, bytes]) -> dict[str, bytes]:
    """Turn the two tables into ``cora.content`` and ``cora.cites``.

    Args:
        members: Content of the tables by path in the package.
    """
    tables = {path.rsplit("/", 1)[-1]: _table(data) for path, data in members.items()}
    papers = tables["cora_nodes.parquet.gzip"]
    links = tables["cora_rels.parquet.gzip"]
    columns = (papers[name] for name in ("nodeId", "features", "subject"))
    content = (
        "\t".join([str(paper), *map(str, words), _SUBJECTS[subject]]) + "\n"
        for paper, words, subject in zip(*columns, strict=True)
    )
    cites = (
        f"{cited}\t{citing}\n"
        for cited, citing in zip(
            links["sourceNodeId"], links["targetNodeId"], strict=True
        )
    )
    return {
        "cora.content": "".join(content).encode(),
        "cora.cites": "".join(cites).encode(),
    }


def _table(data: bytes) -> dict[str, list[Any]]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise ImportError(
            "`pyarrow` must be installed to read Cora from a package, got none; "
            "install it with `pip install 'vicinal[parquet]'`"
        ) from None
    columns: dict[str, list[Any]] = parquet.read_table(io.BytesIO(data)).to_pydict()
    return columns
