"""The whole matrix at once is what the library says entry by entry."""

import sys

import pytest
import torch
from surprise import SVD, Dataset, Reader

from vicinal.baselines.svd import svd


def made_up(seed=0):
    draw = torch.Generator().manual_seed(seed)
    ratings = torch.randint(1, 6, (12, 9), generator=draw).float()
    ratings[torch.rand(12, 9, generator=draw) < 0.4] = 0
    ratings[3], ratings[:, 5] = 0, 0  # a user and a movie without ratings
    return ratings


def test_it_is_the_librarys_prediction(tmp_path):
    ratings = made_up().clamp(min=1)
    users, movies = ratings.shape
    pairs = [(u, i) for u in range(users) for i in range(movies)]
    file = tmp_path / "ratings.txt"
    file.write_text("\n".join(f"{u} {i} {int(ratings[u, i])}" for u, i in pairs))
    given = Dataset.load_from_file(
        str(file), Reader(line_format="user item rating", sep=" ")
    )
    theirs = SVD(n_factors=4, random_state=3).fit(given.build_full_trainset())
    ours = svd(ratings, rank=4, seed=3).clamp(1, 5)
    for u, i in pairs:
        expected = theirs.predict(str(u), str(i)).est
        assert float(ours[u, i]) == pytest.approx(expected, abs=1e-5)


def test_who_is_unknown_gets_the_mean():
    ratings = made_up()
    mean = float(ratings.sum() / (ratings > 0).sum())
    assert float(svd(ratings, rank=4, seed=3)[3, 5]) == pytest.approx(mean, abs=1e-5)


def test_the_seed_decides():
    ratings = made_up()
    assert torch.equal(svd(ratings, 4, seed=1), svd(ratings, 4, seed=1))
    assert not torch.equal(svd(ratings, 4, seed=1), svd(ratings, 4, seed=2))


def test_without_the_library_the_remedy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "surprise", None)
    with pytest.raises(ImportError, match=r"must have scikit-surprise.*pip install"):
        svd(made_up(), 2, 0)
