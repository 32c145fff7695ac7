import json
import subprocess
import sys

import pytest
import torch
from typer.testing import CliRunner

import vicinal
from vicinal.cli import app

HEAVY = {"torch", "scipy", "networkx", "matplotlib", "numpy"}


def _modules_after(code):
    listing = f"{code}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['vicinal', '--help']\n"
        "from vicinal.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )
    assert not HEAVY & _modules_after(code)


def test_importing_the_package_imports_nothing_heavy():
    assert not HEAVY & _modules_after("import vicinal")


def test_importing_everything_prints_no_warning():
    code = "import vicinal as vc; vc.nn, vc.functional, vc.graphs, vc.testing, vc.pyg"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_help_names_the_commands():
    done = CliRunner().invoke(app, ["--help"])
    assert done.exit_code == 0
    assert "info" in done.stdout


def test_the_version_is_told():
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.stdout.strip()) == (0, vicinal.__version__)


def test_info_prints_versions_kernel_path_and_threads():
    done = CliRunner().invoke(app, ["info"])
    assert done.exit_code == 0
    for word in ("torch", torch.__version__, "kernels", "threads"):
        assert word in done.stdout


def test_info_as_json_can_be_read():
    done = CliRunner().invoke(app, ["info", "--json"])
    facts = json.loads(done.stdout)
    assert facts["vicinal"] == vicinal.__version__
    assert facts["kernels"] == vicinal.kernels.active_path()


def test_the_module_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "vicinal", "info"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "kernels" in done.stdout


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        vicinal.nonsense  # noqa: B018


def test_dir_lists_the_public_names():
    assert {"Graph", "functional", "nn", "pyg"} <= set(dir(vicinal))
