"""The data sets of the catalogue: terms, citation, files, addresses."""

from extensions.markdown import table
from vicinal.datasets.catalog import CATALOG
from vicinal.datasets.data_set import DataSet

_MOST = 8  # files and addresses that are shown of a set


def sets() -> str:
    """One section for each data set."""
    return "\n".join(map(_section, CATALOG.values()))


def _section(data: DataSet) -> str:
    facts = [
        ["Terms", data.terms],
        ["Cite", data.citation],
        ["Publisher", f"<{data.homepage}>"],
        [
            "Addresses",
            "<br>".join(_most([f"`{a.url}`" for a in data.addresses])) or "–",
        ],
        ["Package", f"`{data.wheel.requirement}`" if data.wheel else "none"],
    ]
    files = [
        [f"`{f.name}`", f"{f.size:,}", "yes" if f.required else "no", f"`{f.sha256}`"]
        for f in data.files[:_MOST]
    ]
    left = len(data.files) - len(files)
    files += [[f"and {left} more", "", "", ""]] if left else []
    parts = [f"### {data.title} (`{data.name}`)\n", table(["", ""], facts)]
    parts.append(table(["file", "bytes", "required", "SHA-256"], files))
    return "\n".join(parts)


def _most(lines: list[str]) -> list[str]:
    left = len(lines) - _MOST
    return lines if left <= 0 else [*lines[:_MOST], f"and {left} more"]
