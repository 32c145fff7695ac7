"""Networks of words that rows hold are on the page, in its colors."""

from report.synthetic import experiment, plausible, rows

from vicinal.report.gallery import gallery
from vicinal.report.results import Index, study

GRID = [{"name": "all", "author": ["austen", "bronte"], "model": "wan-entropy"}]
NETWORK = {
    "words": ["of", "the"],
    "weights": [[0.0, 1.0], [0.5, 0.5]],
    "frequency": [3.0, 5.0],
}


def section_of(with_network):
    small = experiment(grid=GRID, run={"task": "authorship"})
    given = rows(small, plausible, metric="error")
    for row in given:
        if with_network and row.seed == 0:
            row.result["network"] = NETWORK
    (section,) = study(small, Index(given)).sections
    return section


def test_each_author_has_a_picture_where_a_row_holds_one():
    drawing = gallery(section_of(with_network=True), {})[-1]
    assert drawing.title.startswith("Word adjacency networks")
    assert [author for author, _ in drawing.panels] == ["Jane Austen", "Emily Brontë"]
    assert drawing.folded
    svg = drawing.panels[0][1]
    assert ">the<" in svg
    assert all(f"var(--{name})" in svg for name in ("ink", "s1", "s2"))
    assert "An arrow runs" in drawing.caption
    assert "An arrow runs" not in svg


def test_without_a_network_there_is_no_picture():
    found = gallery(section_of(with_network=False), {})
    assert all("networks" not in drawing.title for drawing in found)
