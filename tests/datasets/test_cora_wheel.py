"""The tables of the package, written out as the publisher's text."""

import io
import sys

import pytest

from vicinal.datasets.cora_wheel import text_files

FOLDER = "graphdatascience/resources/cora"


def parquet_of(columns):
    pyarrow = pytest.importorskip("pyarrow", reason="the extra 'parquet' is missing")
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


def members():
    papers = {
        "nodeId": [31336, 7],
        "labels": ["Paper", "Paper"],
        "subject": [4, 0],
        "features": [[0, 1], [1, 0]],
    }
    links = {"sourceNodeId": [7], "targetNodeId": [31336], "relationshipType": ["C"]}
    return {
        f"{FOLDER}/cora_nodes.parquet.gzip": parquet_of(papers),
        f"{FOLDER}/cora_rels.parquet.gzip": parquet_of(links),
    }


def test_tables_become_text():
    files = text_files(members())
    assert files["cora.content"] == b"31336\t0\t1\tTheory\n7\t1\t0\tNeural_Networks\n"
    assert files["cora.cites"] == b"7\t31336\n"


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"install it with `pip install 'vicinal\[pa"):
        text_files({f"{FOLDER}/cora_nodes.parquet.gzip": b""})
