"""The text form: small literal files, and lines that are refused."""

import numpy as np
import pytest

from vicinal.datasets.cora_text import parse_cites, parse_content

CONTENT = b"31336\t0\t1\t0\tTheory\n10\t1\t1\t0\tRule_Learning\n7\t0\t0\t0\tTheory\n"


def test_content_is_read_as_numpy_reads_it():
    papers = parse_content(CONTENT)
    theirs = np.genfromtxt(CONTENT.decode().splitlines(), dtype=str)
    assert papers.ids == theirs[:, 0].tolist()
    assert papers.subjects == theirs[:, -1].tolist()
    assert papers.words.toarray().tolist() == theirs[:, 1:-1].astype(float).tolist()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"1\t0\t1\tTheory\n2\t0\tTheory\n",
        b"1\t0\t2\tTheory\n",
        b"1\t0\tnan\tTheory\n",
        b"1\t0\t-1\tTheory\n",
        b"1\t0 1\tTheory\n",
        b"1\tTheory\n",
        b"1\t0\t/\tTheory\n",
        b"\n",
        b"1\t0\t1\tTheory\n1\t0\t1\tTheory\n",
    ],
)
def test_other_content_is_refused(content):
    with pytest.raises(ValueError, match=r"`cora.content` must"):
        parse_content(content)


def test_cites_are_places_of_papers():
    papers = parse_content(CONTENT)
    assert parse_cites(b"7\t31336\n10\t7\n", papers).tolist() == [[2, 0], [1, 2]]
    assert parse_cites(b"", papers).shape == (0, 2)


@pytest.mark.parametrize(
    "line", [b"7\t8\n", b"7\n", b"7 10\n", b"7\t10\t31336\n", b"\n"]
)
def test_other_cites_are_refused(line):
    with pytest.raises(ValueError, match=r"`cora.cites` must .* in line 2"):
        parse_cites(b"7\t10\n" + line, parse_content(CONTENT))
