"""The native path across processes and threads, and the switches that choose it."""

import hashlib
import multiprocessing
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from kernels import cases

from vicinal import kernels
from vicinal.kernels import rank

native_only = pytest.mark.skipif(
    kernels.active_path() == "reference", reason="VICINAL_KERNELS=reference"
)


def work(seed=0):
    """A hash of forward and backward results, large enough for two threads."""
    structure = cases.digraph(1000, 20.0)
    digest = hashlib.sha256()
    x = cases.signal("normal", (4, 1000, 32), seed=seed).requires_grad_()
    weight = cases.weights(2, 32, True, x.dtype).requires_grad_()
    values, nodes = kernels.select(x, *structure, rank.UPPER_MEDIAN)
    combined = kernels.combine_maxima(x, weight, *structure)
    for result in (values, nodes, combined):
        digest.update(result.detach().numpy().tobytes())
    (values.sum() + combined.square().sum()).backward()
    digest.update(x.grad.numpy().tobytes())
    return digest.hexdigest()


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


# --- processes and threads ------------------------------------------------------------


def in_pool(method, jobs=2):
    """Run ``work`` in worker processes; a hang is a TimeoutError."""
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        return pool.map_async(work, [0] * jobs).get(timeout=90)


FORK = """
import hashlib, os, signal, sys, torch
sys.path[:0] = [{path!r}]
torch.set_num_threads(2)
from kernels import cases
from vicinal.kernels import operators
x, structure = cases.signal("normal", (4, 1000, 32)), cases.digraph(1000, 20.0)
weight = torch.tensor([0.5, 0.5])

def ours():
    "Operators of ours alone: torch's own threads do not survive a fork."
    values, nodes = operators.select(x, *structure, [1, 1, 2], False)
    highest, where = operators.maxima(x, *structure, 2, False)
    sent = operators.scatter(values, nodes, 1000)
    z, chosen = operators.combine(x, weight, *structure, [1, 1, 2], False, True)
    back = operators.combine_backward(z, x, weight, chosen)
    found = (values, nodes, highest, where, sent, z, *back)
    return hashlib.sha256(b"".join(t.numpy().tobytes() for t in found)).hexdigest()

expected = ours()
child = os.fork()
if child == 0:
    signal.alarm(60)  # a hang ends here, with another exit code
    os._exit(0 if ours() == expected else 1)
assert os.waitpid(child, 0)[1] == 0
assert ours() == expected
print("same")
"""


@native_only
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_forked_child_computes_the_same_and_never_hangs():
    script = FORK.format(path=os.path.dirname(os.path.dirname(__file__)))
    assert run(script).stdout.strip() == "same"


@native_only
def test_spawned_workers_compute_the_same(monkeypatch):
    tests = os.path.dirname(os.path.dirname(__file__))
    script = f"""
import sys
sys.path[:0] = [{tests!r}]
from kernels.test_native_process import in_pool, work
if __name__ == "__main__":
    assert in_pool("spawn") == [work()] * 2
    print("same")
"""
    assert run(script).stdout.strip() == "same"


@native_only
def test_several_python_threads_compute_the_same(two_threads):
    expected = [work(seed) for seed in range(3)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, [0, 1, 2] * 4, timeout=120))
    assert found == expected * 4


# --- switches -------------------------------------------------------------------------


def run(script, check=True, **environment):
    """Run a script in a fresh process whose ``VICINAL_*`` are the given ones only."""
    bare = {k: v for k, v in os.environ.items() if not k.startswith("VICINAL_")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=bare | environment,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    if check:
        assert done.returncode == 0, done.stderr
    return done


ISA = """
import sys, hashlib, torch
sys.path[:0] = [{path!r}]
torch.set_num_threads(2)
from kernels import cases
from vicinal.kernels import active_path, native
digest = hashlib.sha256()
def add(*results):
    for tensor in results:
        kept = tensor.nan_to_num(nan=7.0) if tensor.is_floating_point() else tensor
        digest.update(kept.numpy().tobytes())
for kind in cases.SIGNALS:
    for shape in ((1, 300, 33), (3, 60, 8), (5, 60, 3)):
        structure = cases.digraph(shape[1])
        for dtype in (torch.float32, torch.float64):
            x = cases.signal(kind, shape, dtype)
            weight = cases.weights(1, shape[2], True, dtype)
            add(*native.maxima(x, *structure, 3, kind == "nan"))
            add(*native.select_balls(x, *structure, 2, [1, 1, 2], False))
            for path in native.PATHS:
                with native.forced_path(path):
                    for rule in cases.RANKS.values():
                        add(*native.select(x, *structure, list(rule), False))
                    add(*cases.combination(native, x, weight, structure, (1, 1, 2)))
add(*native.balls(*cases.digraph(300), 3, False, lambda entries: None))
print(active_path(), digest.hexdigest(), sep="|")
"""


@native_only
def test_the_baseline_instruction_set_gives_the_same_bits():
    script = ISA.format(path=os.path.dirname(os.path.dirname(__file__)))
    slow_path, slow = run(script, VICINAL_ISA="baseline").stdout.strip().split("|")
    _, fast = run(script).stdout.strip().split("|")
    assert slow_path == "native (baseline)"
    assert slow == fast


MISSING = "import sys; sys.modules['vicinal.kernels._native'] = None\n"
TELL = "from vicinal import kernels; print(kernels.active_path())\n"
USE = """
import torch
from vicinal.kernels import rank
x = torch.tensor([3.0, 1.0, 2.0]).view(1, 3, 1)
structure = torch.tensor([0, 3]), torch.tensor([0, 1, 2], dtype=torch.int32)
print(kernels.select(x, *structure, rank.UPPER_MEDIAN)[1].item())
"""


def test_reference_is_forced():
    done = run(TELL + USE, VICINAL_KERNELS="reference")
    assert done.stdout.split() == ["reference", "2"]
    assert done.stderr == ""


@native_only
@pytest.mark.parametrize("wanted", ["auto", "native"])
def test_native_serves_where_it_is_compiled(wanted):
    done = run(TELL + USE, VICINAL_KERNELS=wanted)
    assert done.stdout.startswith("native (")
    assert done.stdout.split()[-1] == "2"
    assert done.stderr == ""


def test_native_raises_where_nothing_is_compiled():
    done = run(MISSING + TELL, check=False, VICINAL_KERNELS="native")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: `VICINAL_KERNELS` must not be 'native'")
    assert "install a C++17 compiler and reinstall vicinal" in last
    assert done.stdout == ""


def test_auto_without_compiled_kernels_works_and_says_so_in_one_line():
    done = run(MISSING + TELL + USE, VICINAL_KERNELS="auto")
    assert done.stdout.split() == ["reference", "2"]
    (line,) = done.stderr.strip().splitlines()
    assert "install a C++17 compiler and reinstall vicinal" in line


def test_reference_without_compiled_kernels_is_silent():
    done = run(MISSING + TELL + USE, VICINAL_KERNELS="reference")
    assert done.stdout.split() == ["reference", "2"]
    assert done.stderr == ""


def test_a_switch_of_another_name_is_refused():
    done = run(TELL, check=False, VICINAL_KERNELS="fast")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ValueError: `VICINAL_KERNELS` must be one of")
    assert last.endswith("got 'fast'")


def test_the_native_path_is_active_where_a_compiler_is():
    compiler = next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    if os.environ.get("VICINAL_KERNELS") == "reference":
        assert kernels.active_path() == "reference"
    elif compiler is not None:
        assert kernels.active_path().startswith("native ("), (
            f"{compiler} is there but the native kernels are not: reinstall vicinal"
        )


def test_an_unknown_instruction_set_is_refused():
    done = run(TELL, check=False, VICINAL_ISA="fast")
    assert (
        "`VICINAL_ISA` must be one of ('auto', 'baseline'), got 'fast'" in done.stderr
    )
