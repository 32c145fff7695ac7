"""Small made-up files in the forms of the real ones."""

import gzip
import hashlib

from vicinal.datasets.data_set import File

PAPERS = 1500  # the pygcn split names that many


def known_as(name, content, **more):
    return File(name, hashlib.sha256(content).hexdigest(), len(content), **more)


def paper(p):
    words = "".join(f"{int(p % 3 == word)}\t" for word in range(3))
    return f"{7 * p}\t{words}{'AB'[p % 2]}\n"


def papers():
    """Paper p has word p mod 3 and is of subject p mod 2; p cites p + 1."""
    content = "".join(map(paper, range(PAPERS)))
    cites = "".join(f"{7 * (p + 1)}\t{7 * p}\n" for p in range(PAPERS - 1))
    return {"cora.content": content.encode(), "cora.cites": cites.encode()}


def put(folder, files, packed=False):
    """Write files of Cora into a folder of data sets."""
    (folder / "cora").mkdir(parents=True)
    for name, content in files.items():
        if packed:
            (folder / "cora" / f"{name}.gz").write_bytes(gzip.compress(content))
        else:
            (folder / "cora" / name).write_bytes(content)
    return folder
