"""``vicinal picture``: one movie's ratings on the users' network, before and after."""

from pathlib import Path
from typing import Annotated

import typer

from vicinal.cli.options import Data, require_folder

__all__ = ["picture"]


def picture(
    out: Annotated[Path, typer.Option(help="Picture to write.")] = Path(
        "output/toy-story.png"
    ),
    movie: Annotated[int, typer.Option(min=1, help="Its number; 1: Toy Story.")] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="Of training.")] = 40,
    data: Data = None,
) -> None:
    """Draw a movie's ratings, and those predicted for all users (paper, Fig. 7).

    It shows single ratings: the terms of MovieLens do not let you pass it on.
    """
    import torch

    from vicinal.datasets.catalog import entry
    from vicinal.experiments.movie_picture import movie_signals
    from vicinal.files import require_writable, write
    from vicinal.report.network_picture import before_and_after
    from vicinal.report.picture_file import picture_format

    form = picture_format(out)  # what is wrong is told before training
    require_folder(data)
    require_writable(out, "--out")
    torch.set_num_threads(1)  # as experiments do: small products gain nothing
    found = movie_signals(data, movie, epochs=epochs)
    title = "Toy Story" if movie == 1 else f"movie {movie}"
    drawn = before_and_after(
        found.graph.to_scipy(), found.before, found.after, title, form=form
    )
    write(out, drawn)
    typer.echo(f"picture: {out.resolve()}")
    typer.echo(f"terms of what it shows: {entry('ml-100k').terms}")
