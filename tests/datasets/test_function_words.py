"""Lists of words: the library's own, a file's, and what is wrong with some files."""

import pytest

from vicinal.datasets.function_words import own_words, parse_words, read_words


def test_the_librarys_list_is_sorted_and_has_the_usual_words():
    words = own_words()
    assert list(words) == sorted(set(words))
    assert 200 <= len(words) <= 300
    assert {"the", "of", "and", "to", "upon", "whilst"} <= set(words)


def test_a_file_is_read_in_its_order(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("the\n\nOf\nand\n")
    assert read_words(path) == ("the", "of", "and")


def test_marks_that_editors_write_are_understood():
    content = "\N{ZERO WIDTH NO-BREAK SPACE}the\ndon\N{RIGHT SINGLE QUOTATION MARK}t\n"
    assert parse_words(content.encode(), "w") == ("the", "don't")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"the\nof\nThe\n", "w: must name each word once, got 'the' in lines 1 and 3"),
        (b"the\nas well as\n", "w: must hold one word a line.*got 'as well as' in lin"),
        (b"the\nof2\n", "got 'of2' in line 2"),
        (b"the\n\xff\n", "w: must be UTF-8, got other bytes at 4"),
        (b"the\n", "w: must hold 2 to 30000 words, got 1"),
        (b"", "got 0"),
    ],
)
def test_a_wrong_list_is_refused(content, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_words(content, "w")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"`words` must be .* got .*none.txt"):
        read_words(tmp_path / "none.txt")
