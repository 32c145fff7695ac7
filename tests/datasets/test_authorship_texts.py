"""Texts and words of authorship: those of the data folder, and the user's own."""

import numpy as np
from datasets.library import fill

from vicinal.datasets import catalog
from vicinal.datasets.authorship_texts import checksum, read, word_list
from vicinal.datasets.novels import novels


def test_words_of_the_data_folder_serve_where_they_are(real_novels):
    assert word_list("paper") == word_list("own")
    assert len(word_list("paper", real_novels)) == 211
    both = checksum("", "paper", real_novels), checksum("", "paper")
    assert both == catalog.entry("novels").joint


def test_texts_and_words_of_ones_own_are_known_by_their_content(tmp_path):
    shelf = fill(tmp_path / "shelf")
    given = str(shelf), str(shelf / "words.txt")
    before = checksum(*given)
    (tmp_path / "few.txt").write_text("the\nof\n")
    assert checksum(str(shelf), str(tmp_path / "few.txt")) != before
    (shelf / "ann" / "late.txt").write_text("and so it ends " * 100)
    assert checksum(*given) != before


def test_every_text_is_told_as_it_is_read(tmp_path):
    shelf = fill(tmp_path / "shelf")
    told = []
    numbers = read(str(shelf), str(shelf / "words.txt"), on_text=told.append)
    assert [text.author for text in told] == list(numbers.authors)
    assert [text.title for text in told] == list(numbers.titles)


def test_the_novels_have_as_many_words_as_the_manifest_says(real_novels):
    numbers = read("", "paper", real_novels)
    found = dict(zip(zip(numbers.authors, numbers.titles, strict=True),
                     np.diff(numbers.starts).tolist(), strict=True))  # fmt: skip
    for novel in novels():
        assert found[tuple(novel.file.removesuffix(".txt").split("/"))] == novel.words
