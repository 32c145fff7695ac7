"""Imports point one way, files and functions stay small, nothing is evaluated."""

import ast
from pathlib import Path

import pytest

import vicinal

ROOT = Path(vicinal.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# layer: what it may import (STYLE.md, section 6)
ALLOWED = {
    "graphs": {"kernels"},
    "kernels": set(),
    "files": set(),
    "functional": {"graphs", "kernels"},
    "nn": {"graphs", "functional"},
    "datasets": {"graphs", "files"},
    "metrics": set(),
    "training": {"datasets", "metrics"},
    "rivals": {"graphs", "functional", "nn"},
    "baselines": {"graphs", "functional", "nn"},
    "pyg": {"graphs", "nn"},
    "experiments": {
        "graphs",
        "nn",
        "rivals",
        "baselines",
        "datasets",
        "training",
        "metrics",
        "files",
    },
    "report": {"experiments", "files"},
    "testing": {"graphs"},
    "cli": {"datasets", "experiments", "report", "kernels", "files"},
    "__main__": {"cli"},
}

# single modules that a layer may import beyond that, each with its reason
EXCEPTIONS = {
    "nn": {"vicinal.kernels.rank"},  # plain integers: which order statistic to take
    "experiments": {"vicinal.kernels"},  # which path served is part of a row
    "report": {
        "vicinal.metrics.higher_is_better",  # a name to a truth value
        "vicinal.datasets.catalog",  # terms and citations of data sets
    },
    "pyg": {"vicinal.functional.policies"},  # plain words: the types of arguments
}

OF_RUNS = "vicinal.experiments."
READ_BY_REPORT = {"cell", "config", "grid", "only", "row", "settings", "statistics"}
UNPICKLING = {"torch.load", "joblib.load", "pd.read_pickle", "pandas.read_pickle"}
FORBIDDEN_NAMES = {"utils", "common", "helpers", "misc"}
LARGEST_FILE, LARGEST_FUNCTION = 300, 40


def layer_of(path, root):
    return path.relative_to(root).parts[0].removesuffix(".py")


def imported(tree):
    """Full names of all modules, or names in modules, of vicinal that are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] == "vicinal")
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            if node.level or module.split(".")[0] == "vicinal":
                yield from (f"{module}.{alias.name}" for alias in node.names)


def allowed(layer, name):
    _, target, *_ = [*name.split("."), ""]
    if target in ALLOWED[layer] | {layer, "__version__"}:
        return True
    return any(f"{name}.".startswith(f"{e}.") for e in EXCEPTIONS.get(layer, ()))


def upward_imports(root):
    """One sentence for every import that the table does not allow."""
    found = []
    for path in sorted(root.rglob("*.py")):
        layer = layer_of(path, root)
        if layer == "__init__":
            continue  # lazy exports of the package
        if layer not in ALLOWED:
            found.append(f"{path.relative_to(root)}: no row in ALLOWED")
            continue
        for name in imported(ast.parse(path.read_text())):
            if not allowed(layer, name):
                found.append(f"{path.relative_to(root)} must not import {name}")
    return found


def functions(path):
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, kinds)]


def lines_without_docstring(function):
    length = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is None:
        return length
    docstring = function.body[0]
    return length - (docstring.end_lineno - docstring.lineno + 1)


def test_the_package_is_where_it_is_looked_for():
    assert {layer_of(path, ROOT) for path in FILES} >= {
        "graphs",
        "kernels",
        "functional",
        "nn",
        "testing",
    }


def test_imports_point_down():
    assert upward_imports(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line", "named"),
    [
        ("graphs/graph.py", "from vicinal.nn import GNN", "vicinal.nn.GNN"),
        ("graphs/graph.py", "import vicinal.functional", "vicinal.functional"),
        ("kernels/loops.py", "from vicinal import graphs", "vicinal.graphs"),
        ("nn/model.py", "from vicinal.kernels import select", "vicinal.kernels.select"),
        ("nn/model.py", "import vicinal as vc", "vicinal"),
        ("nn/model.py", "from vicinal import Graph", "vicinal.Graph"),
        ("testing.py", "def f():\n    from vicinal import nn", "vicinal.nn"),
        ("functional.py", "from ..nn import GNN", "..nn.GNN"),
        ("odds.py", "", "no row in ALLOWED"),
    ],
)
def test_a_planted_upward_import_is_named(tmp_path, file, line, named):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(line)
    (sentence,) = upward_imports(tmp_path)
    assert sentence.startswith(file)
    assert sentence.endswith(named)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("graphs/graph.py", "import numpy\nfrom vicinal.graphs.edges import Rows"),
        ("functional/local.py", "from vicinal import graphs, kernels"),
        ("nn/model.py", "from vicinal.kernels import rank"),
        ("nn/model.py", "from vicinal.kernels.rank import Rank"),
        ("cli.py", "from vicinal import __version__, kernels"),
        ("__init__.py", "from vicinal import nn"),
    ],
)
def test_a_planted_downward_import_is_allowed(tmp_path, file, line):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(line)
    assert upward_imports(tmp_path) == []


def test_graphs_and_kernels_know_no_modules():
    for path in FILES:
        if layer_of(path, ROOT) in ("graphs", "kernels"):
            names = set(_every_import(path))
            assert not {n for n in names if n.startswith("torch.nn")}, path


def _every_import(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_files_are_short():
    lengths = {path: len(path.read_text().splitlines()) for path in FILES}
    assert {p.name: n for p, n in lengths.items() if n > LARGEST_FILE} == {}


def test_functions_are_short():
    lengths = {
        f"{path.relative_to(ROOT)}:{function.name}": lines_without_docstring(function)
        for path in FILES
        for function in functions(path)
    }
    assert {n: size for n, size in lengths.items() if size > LARGEST_FUNCTION} == {}


def test_docstrings_do_not_count():
    documented = ast.parse('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n')
    assert lines_without_docstring(documented.body[0]) == 2
    assert lines_without_docstring(ast.parse("def f():\n    return 1").body[0]) == 2


def test_nothing_is_called_after_nothing():
    names = {part for path in FILES for part in path.relative_to(ROOT).parts}
    assert not {name.removesuffix(".py").strip("_") for name in names} & FORBIDDEN_NAMES


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_evaluated_or_unpickled(path):
    assert "pickle" not in {name.split(".")[0] for name in _every_import(path)}
    nodes = ast.walk(ast.parse(path.read_text()))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    plain = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    assert not plain & {"eval", "exec", "compile", "__import__"}
    dotted = [(ast.unparse(call.func), call) for call in calls]
    assert not {name for name, _ in dotted} & UNPICKLING
    for name, call in dotted:
        if name == "np.load":
            assert "allow_pickle=False" in ast.unparse(call)


@pytest.mark.parametrize("path", sorted((ROOT / "report").glob("*.py")), ids=str)
def test_the_report_reads_rows_and_plans_and_runs_nothing(path):
    modules = {name.split(".")[2] for name in _every_import(path) if OF_RUNS in name}
    assert modules <= READ_BY_REPORT
