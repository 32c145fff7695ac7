"""torch.compile, torch.export and autocast on a prepared graph give eager results."""

import pytest
import torch

import vicinal as vc
from vicinal.functional import local_max, local_median
from vicinal.nn import GNN, GraphFilter, MedianActivation

pytestmark = pytest.mark.filterwarnings(  # torch's own compiler and forward mode use it
    "ignore:`torch.jit.script:DeprecationWarning"
)

NODES = 12


class Median(torch.nn.Module):
    def forward(self, x, graph):
        return local_median(x, graph, 2)


class Maximum(torch.nn.Module):
    def forward(self, x, graph):
        return local_max(x, graph, 2)


def modules():
    torch.manual_seed(0)
    return {
        "local_median": Median(),
        "local_max": Maximum(),
        "MedianActivation": MedianActivation(2, 3, initial="uniform"),
        "GNN": GNN(3, [4, 4], 2, hops=2, initial="uniform"),
    }


NAMES = list(modules())


@pytest.fixture
def graph(digraph):
    return modules()["GNN"].prepare(digraph)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()


def results(function, x, graph, parameters):
    """Output and gradients."""
    x = x.clone().requires_grad_()
    y = function(x, graph)
    gradients = torch.autograd.grad(y.sin().sum(), [x, *parameters])
    return [y.detach(), *gradients]


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_modules_give_eager_results_and_gradients(name, graph):
    module, x = modules()[name], torch.randn(2, NODES, 3)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    parameters = list(module.parameters())
    same(results(compiled, x, graph, parameters), results(module, x, graph, parameters))


def test_inductor_gives_eager_results_and_gradients(graph):
    act, x = modules()["MedianActivation"], torch.randn(2, NODES, 3)
    compiled, parameters = torch.compile(act, fullgraph=True), [act.weight]
    same(results(compiled, x, graph, parameters), results(act, x, graph, parameters))


def test_a_compiled_module_takes_another_graph_and_batch(graph):
    act = modules()["MedianActivation"]
    compiled = torch.compile(act, fullgraph=True, backend="aot_eager")
    other = vc.graphs.erdos_renyi(8, 0.6, seed=0).prepare(2)
    for given, batch in ((graph, 2), (other, 3), (graph, 5)):
        x = torch.randn(batch, given.num_nodes, 3)
        torch.testing.assert_close(compiled(x, given), act(x, given))


@pytest.mark.parametrize("name", NAMES)
def test_exported_programs_give_eager_results_and_gradients(name, graph):
    module, x = modules()[name], torch.randn(2, NODES, 3)
    program = torch.export.export(module, (torch.randn(2, NODES, 3), graph)).module()
    found = results(program, x, graph, program.parameters())
    same(found, results(module, x, graph, module.parameters()))


def test_exported_programs_are_saved_and_loaded(graph, tmp_path):
    model, x = modules()["GNN"], torch.randn(2, NODES, 3)
    torch.export.save(torch.export.export(model, (x, graph)), tmp_path / "model.pt2")
    loaded = torch.export.load(tmp_path / "model.pt2").module()
    torch.testing.assert_close(loaded(x, graph), model(x, graph))


@pytest.mark.parametrize("name", NAMES)
def test_an_unprepared_graph_is_refused_in_one_sentence(name, digraph):
    compiled = torch.compile(modules()[name], fullgraph=True, backend="aot_eager")
    sentence = r"`graph` must be prepared before it is compiled .* call `graph\.\S+"
    with pytest.raises(Exception, match=sentence):
        compiled(torch.randn(NODES, 3), digraph)


def test_export_refuses_an_unprepared_graph(digraph):
    with pytest.raises(Exception, match="`graph` must be prepared before"):
        torch.export.export(Median(), (torch.randn(NODES, 3), digraph))


@pytest.mark.parametrize(
    ("operator", "settings"),
    [
        (local_median, {"empty": "self"}),
        (local_median, {"empty": 1.5, "ties": "share"}),
        (local_max, {"nan": "ignore", "empty": "self"}),
    ],
)
def test_policies_compile(operator, settings, digraph):
    around = digraph.neighborhoods(2, exact=True)
    x = torch.randint(0, 3, (2, NODES, 3)).float()
    x[0, 3] = torch.nan
    settings = {"nan": "ignore", **settings}

    def function(x, graph):
        return operator(x, graph, **settings)

    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    same(results(compiled, x, around, []), results(function, x, around, []))


def test_a_policy_that_raises_still_raises_when_compiled(graph):
    def function(x):
        return local_median(x, graph, nan="raise")

    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    x = torch.randn(NODES, 3)
    torch.testing.assert_close(compiled(x), function(x))
    x[0, 0] = torch.nan
    with pytest.raises(RuntimeError, match="`x` must not hold NaN"):
        compiled(x)


@pytest.mark.parametrize("operator", [local_median, local_max])
def test_compiled_forward_mode_is_right_or_raises(operator, graph):
    def pushed(x, tangent):
        return torch.func.jvp(lambda x: operator(x, graph), (x,), (tangent,))[1]

    x, tangent = torch.randn(NODES, 3), torch.randn(NODES, 3)
    try:
        found = torch.compile(pushed, backend="aot_eager")(x, tangent)
    except (RuntimeError, NotImplementedError):
        return
    torch.testing.assert_close(found, pushed(x, tangent))


@pytest.mark.parametrize("name", NAMES)
def test_autocast_changes_precision_not_results(name, graph):
    module, x = modules()[name], torch.randn(2, NODES, 3)
    parameters = list(module.parameters())
    expected = results(module, x, graph, parameters)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = results(module, x, graph, parameters)
    if not name.startswith("local"):
        for one, right in zip(found, expected, strict=True):
            scale = right.abs().max().item()
            torch.testing.assert_close(one.float(), right, rtol=0, atol=0.1 * scale)
    else:
        same(found, expected)  # a selection is exact, autocast has no part in it


def test_autocast_hands_half_precision_to_the_activation(graph):
    bank, act = GraphFilter(3, 4, taps=2, bias=False), MedianActivation(1, 4)
    x = torch.randn(NODES, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        u = bank(x, graph)
        z = act(u, graph)
    assert u.dtype == torch.bfloat16
    expected = (u.float() + local_median(u.float(), graph)[0]) / 2
    torch.testing.assert_close(z.float(), expected, rtol=0.01, atol=0.01)
    z.sum().backward()
    assert act.weight.grad.dtype == bank.weight.grad.dtype == torch.float32


def test_autocast_serves_sparse_shifts_too():
    ring = vc.Graph.from_edges([(i, (i + 1) % 300) for i in range(300)])
    assert ring.shift().dense is None
    for bank in (GraphFilter(3, 4, taps=3), GraphFilter(4, 3, taps=3)):
        x = torch.randn(2, 300, bank.in_features, requires_grad=True)
        expected = bank(x, ring)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = bank(x, ring)
        torch.testing.assert_close(found.float(), expected, rtol=0.05, atol=0.05)
        found.float().sum().backward()
        assert x.grad.dtype == torch.float32
