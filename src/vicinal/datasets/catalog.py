"""The data sets that tasks read: their files, terms, authors, and where they come from.

A file is known by the SHA-256 of its plain content, whatever way it came. Another data
set is another entry of ``CATALOG``.
"""

import hashlib
from functools import partial

from vicinal.datasets.cora_wheel import text_files
from vicinal.datasets.data_set import Address, DataSet, File, Wheel
from vicinal.datasets.novels import Novel, novels, restore
from vicinal.datasets.ratings import without_header

__all__ = ["CATALOG", "checksum", "entry", "known"]


def entry(name: str) -> DataSet:
    """A data set by name.

    Example:
        >>> entry("cora").title
        'Cora citation network'
    """
    if name not in CATALOG:
        raise ValueError(f"`name` must be one of {sorted(CATALOG)}, got {name!r}")
    return CATALOG[name]


def known(data: DataSet, file: str) -> File:
    """One file of a data set by name.

    Example:
        >>> known(entry("cora"), "cora.cites").size
        69928
    """
    return next(found for found in data.files if found.name == file)


def checksum(name: str, optional: bool = False) -> str:
    """One SHA-256 for all required files of a data set; needs none of them.

    Every copy is compared with these before it is used.

    Args:
        name: Of the data set.
        optional: Count the files that not every task reads as well.

    Example:
        >>> len(checksum("cora"))
        64
    """
    files = [file for file in entry(name).files if file.required or optional]
    lines = [f"{file.sha256}  {file.name}\n" for file in files]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


_PYGCN = "https://raw.githubusercontent.com/tkipf/pygcn/master/data/cora"
_WHEEL = "graphdatascience/resources/cora"

_CORA = DataSet(
    name="cora",
    title="Cora citation network",
    files=(
        File(
            "cora.content",
            "b8ebed0fd45e53995abafd1b70cf6a9fcc8f86abc5826d69b97fe6ca46e9c8ee",
            7_823_427,
        ),
        File(
            "cora.cites",
            "ec1a372391b7f0f60a6aff0084e8abd8f19f0faa7e1f2441a41c492042d5945e",
            69_928,
        ),
        File(  # holds the Planetoid split, in the order of cora.content
            "cora.npz",
            "76b72d5dc969b485901c8d29444b26b2d593fa7728a482f0f457f3e8664bfe3c",
            137_979,
            required=False,
        ),
    ),
    addresses=(
        Address(
            "https://linqs-data.soe.ucsc.edu/public/lbc/cora.tgz",
            (("cora/cora.content", "cora.content"), ("cora/cora.cites", "cora.cites")),
        ),
        Address(f"{_PYGCN}/cora.content", (("", "cora.content"),)),
        Address(f"{_PYGCN}/cora.cites", (("", "cora.cites"),)),
    ),
    homepage="https://linqs.org/datasets/#cora",
    terms="no licence stated by its publisher",
    citation=(
        "P. Sen, G. Namata, M. Bilgic, L. Getoor, B. Gallagher, T. Eliassi-Rad: "
        "Collective classification in network data. AI Magazine 29(3), 2008"
    ),
    wheel=Wheel(
        "graphdatascience==2.2",
        (
            File(
                f"{_WHEEL}/cora_nodes.parquet.gzip",
                "c54c0625af98570287dcb25e9f29e0b229948352a8de1dbf202fa39f36bfe591",
                93_288,
            ),
            File(
                f"{_WHEEL}/cora_rels.parquet.gzip",
                "e0059f81e607c0262e93fbe3c77950b06098dab167f0071cba97a82c9440ca01",
                26_318,
            ),
        ),
        text_files,
    ),
)


def _novel_address(novel: Novel) -> Address:
    return Address(
        novel.address, (("", novel.file),), restore=partial(restore, novel=novel)
    )


_NOVELS = DataSet(
    name="novels",
    title="Novels of 22 authors of the 19th century",
    files=tuple(File(novel.file, novel.sha256, novel.size) for novel in novels()),
    addresses=tuple(map(_novel_address, novels())),
    homepage="https://www.gutenberg.org",
    terms="public domain in the United States",
    citation="Project Gutenberg, www.gutenberg.org; copies of the GITenberg project",
    joint=(
        # with the 211 words of the paper, and with the library's list
        "199fbbcfa14e8085810160a3e77dbb5f2c19906801e5daaf5aaaf25d04fe7646",
        "92cd4eed7b7a8bd7a4e969405cad1e3c9cb54ae91ce63cec45f27ff3818d8c8a",
    ),
)

_FUNCTION_WORDS = DataSet(
    name="function-words",
    title="The 211 function words of published word adjacency networks",
    files=(
        File(
            "function_words_211.txt",
            "44f6ddf5b65fd94f5badff888a5c6294d489e462665f97d8a79beaf8cb4200f6",
            1_356,
            required=False,  # no address offers it: the library's own list serves then
        ),
    ),
    addresses=(),
    homepage="https://arxiv.org/abs/1406.4469",
    terms="a list of words",
    citation=(
        "S. Segarra, M. Eisen, A. Ribeiro: Authorship attribution through function "
        "word adjacency networks. IEEE Transactions on Signal Processing 63(20), 2015"
    ),
)

_MOVIELENS = DataSet(
    name="ml-100k",
    title="MovieLens 100k",
    files=(
        File(
            "u.data",
            "06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490",
            1_979_173,
        ),
        File(  # titles of movies, for pictures
            "u.item",
            "553841ebc7de3a0fd0d6b62a204ea30c1e651aacfb2814c7a6584ac52f2c5701",
            236_344,
            required=False,
        ),
        File(  # users alike in age, gender, occupation; movies alike in genres
            "feature-graphs.npz",
            "2715014e8780b6c497f5d72539863e83f0f1d81f74aff644603d0f22579e8db4",
            34_359,
            required=False,
        ),
    ),
    addresses=(
        Address(
            "https://files.grouplens.org/datasets/movielens/ml-100k.zip",
            (("ml-100k/u.data", "u.data"),),
        ),
    ),
    homepage="https://grouplens.org/datasets/movielens/100k/",
    terms=(
        "for research, with acknowledgement; not to be redistributed without "
        "permission, not for commercial use, no endorsement to be implied"
    ),
    citation=(
        "F. M. Harper, J. A. Konstan: The MovieLens Datasets: History and Context. "
        "ACM Transactions on Interactive Intelligent Systems 5(4), 2015"
    ),
    wheel=Wheel(
        "recbole==1.2.1",
        (
            File(
                "recbole/dataset_example/ml-100k/ml-100k.inter",
                "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
                1_979_230,
            ),
        ),
        without_header,
    ),
)

CATALOG: dict[str, DataSet] = {
    data.name: data for data in (_CORA, _MOVIELENS, _NOVELS, _FUNCTION_WORDS)
}
