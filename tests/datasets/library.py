"""Small made-up books: an author's habits decide which function words follow which."""

import random

AUTHORS = ("ann", "bea", "cid", "dot")
WORDS = ("and", "but", "of", "the", "to", "with")


def book(author, number, length=120):
    """A text of so many words; every author has favourite function words."""
    draw = random.Random(f"{author} {number}")
    shift = AUTHORS.index(author)
    favourites = (*[WORDS[shift]] * 4, WORDS[shift + 1], *WORDS)
    words = [
        draw.choice(favourites) if draw.random() < 0.5 else "noun"
        for _ in range(length)
    ]
    for place in range(7, length, 8):
        words[place] += "."
    return " ".join(words)


def fill(folder, books=3, authors=AUTHORS, length=120):
    """Write ``AUTHOR/*.txt`` and a list of words; the folder of texts comes back."""
    for author in authors:
        (folder / author).mkdir(parents=True)
        for number in range(books):
            path = folder / author / f"book{number}.txt"
            path.write_text(book(author, number, length))
    (folder / "words.txt").write_text("\n".join(WORDS))
    return folder
