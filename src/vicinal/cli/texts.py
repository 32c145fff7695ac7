"""``vicinal texts``: texts to numbers of words, and pictures of word networks."""

from pathlib import Path
from typing import Annotated

import typer

from vicinal.cli.options import Data, Quiet, require_folder
from vicinal.cli.progress import shown

__all__ = ["app"]

app = typer.Typer(help="Prepare texts, draw word networks.", no_args_is_help=True)

Folder = Annotated[
    Path | None, typer.Option("--texts", help="Folder with AUTHOR/*.txt.")
]
Words = Annotated[str, typer.Option(help="'paper', 'own', or a file, one word a line.")]


@app.command()
def prepare(
    texts: Folder = None,
    words: Words = "paper",
    data: Data = None,
    quiet: Quiet = False,
) -> None:
    """Number the words of all texts once; every run then loads in a moment."""
    from vicinal.datasets.authorship_texts import read
    from vicinal.datasets.catalog import entry
    from vicinal.datasets.texts import list_texts

    require_folder(data)
    total = len(list_texts(texts)) if texts else len(entry("novels").files)
    with shown(total, quiet, "texts") as progress:
        corpus = read(
            str(texts or ""),
            words,
            data,
            lambda text: progress.advance(f"{text.author}: {text.title}"),
        )
    if not quiet:
        authors = len(set(corpus.authors))
        whose = "1 author" if authors == 1 else f"{authors} authors"
        told = f"{len(corpus.ids):,} words of {whose}"
        typer.echo(f"{told}, numbered by a list of {len(corpus.words)}")


@app.command()
def network(
    author: Annotated[str, typer.Argument(help="Whose texts.")],
    out: Annotated[Path, typer.Option(help="Picture to write: .svg, .png, .pdf.")],
    count: Annotated[int, typer.Option(help="Most frequent words.", min=2)] = 40,
    texts: Folder = None,
    words: Words = "paper",
    data: Data = None,
) -> None:
    """Draw the word adjacency network of an author's most frequent function words."""
    from vicinal.datasets import authorship
    from vicinal.files import require_writable, write
    from vicinal.report.picture_file import picture_bytes, picture_format
    from vicinal.report.word_network import draw_network

    form = picture_format(out)
    require_folder(data)
    require_writable(out, "--out")
    settings = authorship.Settings(author=author, texts=str(texts or ""), words=words)
    names, weights, frequency = authorship.profile(settings, count, data)
    write(out, picture_bytes(draw_network(names, weights, frequency), form))
    typer.echo(f"{out.resolve()}: {len(names)} words of {author}")
