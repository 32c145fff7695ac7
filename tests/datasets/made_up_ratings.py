"""Ratings that nobody gave, in the form of MovieLens."""

import numpy as np

from vicinal.datasets.ratings import parse_ratings

USERS, MOVIES = 60, 50


def rating_lines(seed=0, density=0.6):
    """Users of two tastes; users of higher numbers rate fewer movies."""
    generator = np.random.default_rng(seed)
    lines = []
    for user in range(USERS):
        rated = generator.random(MOVIES) < density * (1 - user / (2 * USERS))
        for movie in np.flatnonzero(rated):
            alike = (user + movie) % 2 == 0
            stars = int(np.clip(round(2 + 2 * alike + generator.normal()), 1, 5))
            lines.append(f"{user + 1}\t{movie + 1}\t{stars}\t0\n")
    return "".join(generator.permutation(lines)).encode()


def made_up_ratings(seed=0):
    return parse_ratings(rating_lines(seed))
