"""Ratings: who gave which movie how many stars, in the text form of MovieLens 100k.

Each line holds user, movie, stars and time, between tabs; users and movies count from 1
in the file and from 0 here.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["STARS", "Ratings", "parse_ratings", "rating_matrix", "without_header"]

STARS = (1, 5)  # the fewest and the most
_COLUMNS = 4
_DIGITS = 18  # at most, to fit into 64 bits
_MOST = 1_000_000  # users, or movies: a line with a wrong number asks for no terabytes


@dataclass(frozen=True)
class Ratings:
    """Ratings in the order of their file."""

    users: NDArray[np.int64]  # shape: (n,)
    movies: NDArray[np.int64]  # shape: (n,)
    stars: NDArray[np.int64]  # shape: (n,)
    num_users: int
    num_movies: int


def parse_ratings(text: bytes) -> Ratings:
    r"""Read lines of ``user <tab> movie <tab> stars <tab> time``.

    Example:
        >>> ratings = parse_ratings(b"2\t1\t5\t881250949\n1\t3\t2\t891717742\n")
        >>> ratings.users.tolist(), ratings.movies.tolist(), ratings.stars.tolist()
        ([1, 0], [0, 2], [5, 2])
    """
    table = np.array(
        [_numbers(line, number) for number, line in enumerate(text.splitlines(), 1)],
        dtype=np.int64,
    ).reshape(-1, _COLUMNS)
    if not len(table):
        raise ValueError("`u.data` must hold at least one rating, got none")
    users, movies = table[:, 0] - 1, table[:, 1] - 1
    _require_distinct(users, movies)
    return Ratings(
        users, movies, table[:, 2], int(users.max()) + 1, int(movies.max()) + 1
    )


def rating_matrix(
    ratings: Ratings, seen: NDArray[np.int64]
) -> NDArray[np.float64]:  # shape: (users, movies)
    r"""Some of the ratings as a matrix; zero where there is none.

    Example:
        >>> ratings = parse_ratings(b"2\t1\t5\t0\n1\t2\t3\t0\n")
        >>> rating_matrix(ratings, np.array([0])).tolist()
        [[0.0, 0.0], [5.0, 0.0]]
    """
    matrix = np.zeros((ratings.num_users, ratings.num_movies))
    matrix[ratings.users[seen], ratings.movies[seen]] = ratings.stars[seen]
    return matrix


def without_header(members: dict[str, bytes]) -> dict[str, bytes]:
    r"""The ratings as a package carries them, less the line that names columns.

    Example:
        >>> without_header({"a/b.inter": b"user\titem\n1\t1\t5\t0\n"})
        {'u.data': b'1\t1\t5\t0\n'}
    """
    (content,) = members.values()
    return {"u.data": content.partition(b"\n")[2]}


def _numbers(line: bytes, number: int) -> list[int]:
    parts = line.split(b"\t")
    whole = all(part.isdigit() and len(part) <= _DIGITS for part in parts)
    if len(parts) != _COLUMNS or not whole:
        raise ValueError(
            "`u.data` must hold user, movie, stars and time as whole numbers between "
            f"tabs, got {line[:40]!r} in line {number}; mend or drop the line"
        )
    user, movie, stars, time = map(int, parts)
    if not STARS[0] <= stars <= STARS[1]:
        raise ValueError(
            f"`u.data` must hold ratings of {STARS[0]} to {STARS[1]} stars, got "
            f"{stars} in line {number}; mend or drop the line"
        )
    if not (1 <= user <= _MOST and 1 <= movie <= _MOST):
        raise ValueError(
            f"`u.data` must count users and movies from 1, to {_MOST:,} at most, got "
            f"{line[:40]!r} in line {number}; number them anew"
        )
    return [user, movie, stars, time]


def _require_distinct(users: NDArray[np.int64], movies: NDArray[np.int64]) -> None:
    order = np.lexsort((movies, users))  # equal pairs keep the order of their lines
    before, after = order[:-1], order[1:]
    again = (users[before] == users[after]) & (movies[before] == movies[after])
    if again.any():
        first, second = before[again][0], after[again][0]
        raise ValueError(
            "`u.data` must hold each pair of user and movie once, got user "
            f"{users[first] + 1} and movie {movies[first] + 1} in lines {first + 1} "
            f"and {second + 1}; drop one"
        )
