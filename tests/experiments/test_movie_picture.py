"""One movie on the users' network: what was rated, and a prediction for everybody."""

import numpy as np
from datasets.made_up_ratings import made_up_ratings

from vicinal.datasets import movies
from vicinal.datasets.rating_splits import split_ratings
from vicinal.experiments.movie_picture import movie_signals


def test_everybody_gets_stars_and_test_ratings_stay_hidden(monkeypatch):
    ratings = made_up_ratings()
    monkeypatch.setattr(movies, "read", lambda folder: ratings)
    found = movie_signals(movie=1, epochs=2)
    assert found.graph.num_nodes == len(found.before) == len(found.after) == 60
    assert set(np.unique(found.after)) <= {1, 2, 3, 4, 5}
    train = split_ratings(ratings, "movies", 0).train
    shown = train[ratings.movies[train] == 0]
    assert np.count_nonzero(found.before) == len(shown)
    assert np.array_equal(found.before[ratings.users[shown]], ratings.stars[shown])
