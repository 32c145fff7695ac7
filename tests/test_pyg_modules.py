"""The PyG modules as torch modules: what they keep, copy, store, refuse."""

import copy
import io
import subprocess
import sys

import pytest
import torch

import vicinal as vc
from vicinal import pyg
from vicinal.graphs import recent

ACTIVATIONS = {
    "median": pyg.MedianActivation,
    "max": pyg.MaxActivation,
    "mean": pyg.MeanActivation,
    "rank": lambda *a, **k: pyg.RankActivation(0.3, *a, **k),
}


@pytest.fixture(params=list(ACTIVATIONS))
def activation(request):
    return ACTIVATIONS[request.param]


@pytest.fixture
def edge_index(digraph):
    return digraph.to_edges()[0]


# --- unchanged edges are found again, changed ones are not mistaken -------------------


def test_neighbourhoods_of_unchanged_edges_are_computed_once(monkeypatch, edge_index):
    made = []
    monkeypatch.setattr(recent, "_kept", [])
    original = vc.Graph.from_edges
    monkeypatch.setattr(
        vc.Graph, "from_edges", lambda *a, **k: made.append(a) or original(*a, **k)
    )
    first, second, x = pyg.MedianActivation(2), pyg.MaxActivation(), torch.randn(12, 1)
    for _ in range(3):
        second(first(x, edge_index), edge_index.clone())
    assert len(made) == 1


def changed_in_place(edge_index):
    edge_index[:, 0] = edge_index[:, 0].flip(0)


def changed_through_numpy(edge_index):
    edge_index.numpy()[:, 0] = edge_index.numpy()[::-1, 0].copy()


def changed_through_data(edge_index):
    edge_index.data[:, 0] = edge_index.data[:, 0].flip(0)


@pytest.mark.parametrize(
    "change", [changed_in_place, changed_through_numpy, changed_through_data]
)
def test_changed_edges_are_seen(change, activation):
    edge_index = torch.tensor([[0, 1], [1, 2]])
    act = activation(1)
    torch.nn.init.ones_(act.module.weight)
    x = torch.tensor([[1.0], [8.0], [2.0]])
    act(x, edge_index)
    change(edge_index)  # 1 -> 0, 1 -> 2
    swapped = vc.Graph.from_edges([(1, 0), (1, 2)], 3)
    assert act(x, edge_index).equal(act.module(x, swapped))
    assert not act(x, edge_index).equal(act(x, torch.tensor([[0, 1], [1, 2]])))


def test_changed_weights_are_seen():
    bank = pyg.GraphFilter(1, 1, taps=2, bias=False, shift="adjacency")
    bank.module.weight.data = torch.tensor([0.0, 1.0]).view(2, 1, 1)
    edge_index, weight = torch.tensor([[0], [1]]), torch.tensor([2.0])
    x = torch.tensor([[1.0], [0.0]])
    assert bank(x, edge_index, weight)[1] == 2.0
    weight.numpy()[0] = 5.0
    assert bank(x, edge_index, weight)[1] == 5.0
    assert bank(x, edge_index)[1] == 1.0


def test_another_number_of_nodes_is_seen(activation):
    edge_index = torch.tensor([[0, 1], [1, 0]])
    act = activation(1)
    for num_nodes in (2, 4, 3):
        assert act(torch.randn(num_nodes, 1), edge_index).shape == (num_nodes, 1)


# --- state ----------------------------------------------------------------------------


def test_the_state_dict_has_the_documented_keys(activation):
    assert list(activation(2, 4).state_dict()) == ["module.weight"]
    assert list(activation(0).state_dict()) == []
    bank = pyg.GraphFilter(2, 3, taps=4)
    assert list(bank.state_dict()) == ["module.weight", "module.bias"]


def test_a_state_dict_goes_to_vicinal_nn_and_back(digraph, edge_index):
    trained = vc.nn.MedianActivation(2, 4, initial="uniform")
    act = pyg.MedianActivation(2, 4)
    act.module.load_state_dict(trained.state_dict())
    x = torch.randn(12, 4)
    assert act(x, edge_index).equal(trained(x, digraph))


def test_a_saved_state_is_loaded(activation, edge_index):
    memory = io.BytesIO()
    before, after = activation(2, initial="uniform"), activation(2)
    torch.save(before.state_dict(), memory)
    memory.seek(0)
    after.load_state_dict(torch.load(memory, weights_only=True))
    x = torch.randn(12, 4)
    assert after(x, edge_index).equal(before(x, edge_index))


@pytest.mark.parametrize("filtered", [False, True])
def test_a_deep_copy_has_weights_of_its_own(filtered, edge_index):
    act = pyg.GraphFilter(4, 4, taps=2) if filtered else pyg.MedianActivation(2)
    x = torch.randn(12, 4)
    before = act(x, edge_index)
    twin = copy.deepcopy(act)
    assert twin(x, edge_index).equal(before)
    torch.nn.init.zeros_(twin.module.weight)
    assert act(x, edge_index).equal(before)
    assert not twin(x, edge_index).equal(before)


def test_a_module_can_be_pickled_whole(edge_index):
    memory, act = io.BytesIO(), pyg.MaxActivation(2, 4, initial="uniform")
    torch.save(act, memory)
    memory.seek(0)
    x = torch.randn(12, 4)
    loaded = torch.load(memory, weights_only=False)
    assert loaded(x, edge_index).equal(act(x, edge_index))


def test_reset_parameters_draws_anew():
    act = pyg.MedianActivation(3, initial="uniform")
    before = act.module.weight.clone()
    act.reset_parameters()
    assert not act.module.weight.equal(before)


def test_repr_is_that_of_the_call():
    assert repr(pyg.MedianActivation(2)) == "MedianActivation(hops=2, features=None)"
    assert repr(pyg.RankActivation(0.25)).startswith("RankActivation(q=0.25, hops=1")
    model = torch.nn.Sequential(pyg.GraphFilter(1, 2, taps=3, bias=False))
    assert "(0): GraphFilter(1, 2, taps=3, bias=False, shift=" in repr(model)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_precisions_stay_what_they_are(dtype, activation, edge_index):
    x = torch.randn(12, 4, dtype=dtype)
    assert activation(1).to(dtype)(x, edge_index).dtype == dtype


# --- modes of torch -------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*ACTIVATIONS, "filter"])
def test_evaluation_in_inference_mode_does_not_spoil_training(
    kind, edge_index, monkeypatch
):
    monkeypatch.setattr(recent, "_kept", [])
    act = pyg.GraphFilter(4, 4, taps=2) if kind == "filter" else ACTIVATIONS[kind](1)
    x = torch.randn(12, 4)
    with torch.inference_mode():
        expected = act(x, edge_index)
    found = act(x.requires_grad_(), edge_index)
    found.sum().backward()
    assert found.equal(expected)
    assert x.grad.abs().max() > 0


def test_vmap_agrees_with_a_loop(activation, edge_index):
    act, x = activation(2), torch.randn(5, 12, 4)
    mapped = torch.vmap(lambda signal: act(signal, edge_index))(x)
    assert torch.allclose(
        mapped, torch.stack([act(signal, edge_index) for signal in x])
    )


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")  # hidden by torch
def test_a_compiled_model_breaks_around_the_edges(edge_index, monkeypatch):
    monkeypatch.setattr(recent, "_kept", [])
    torch.compiler.reset()
    act, x = pyg.MedianActivation(1), torch.randn(12, 4)
    compiled = torch.compile(lambda x, e: 2 * act(x.sin(), e), backend="eager")
    for edges in (edge_index, edge_index.flip(0), edge_index):
        assert torch.allclose(compiled(x, edges), 2 * act(x.sin(), edges))


def test_a_single_compiled_program_is_refused_with_the_remedy(edge_index):
    torch.compiler.reset()
    act, x = pyg.MedianActivation(1), torch.randn(12, 4)
    compiled = torch.compile(act, backend="eager", fullgraph=True)
    with pytest.raises(
        Exception, match=r"call a module of .vicinal.nn. with a prepared"
    ):
        compiled(x, edge_index)


def test_pyg_is_neither_needed_nor_imported():
    code = """
import sys
sys.modules["torch_geometric"] = None  # an import would raise
import torch, vicinal.pyg
act = vicinal.pyg.MaxActivation()
print(act(torch.tensor([[1.0], [3.0]]), torch.tensor([[1], [0]])).tolist())
"""
    command = [sys.executable, "-W", "error", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("[[2.0], [3.0]]\n", "")


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "error", "words"),
    [
        ([[1.0]], TypeError, "`x` must be a tensor, got list"),
        ((torch.ones(3, 1),) * 2, TypeError, "`x` must be a tensor, got tuple"),
        (torch.ones(3), ValueError, r"shape \(..., nodes, features\), got \(3,\)"),
        (torch.ones(3, 1).long(), TypeError, r"floating point.*`x.float\(\)`"),
        (
            torch.ones(2, 1),
            ValueError,
            r"`edge_index` must name nodes in 0\.\.1, got 2",
        ),
        (
            torch.ones(3, 1, device="meta"),
            ValueError,
            r"device of `x` \(meta\), got cpu",
        ),
    ],
)
def test_bad_signals_are_refused(x, error, words, activation):
    with pytest.raises(error, match=words):
        activation(1)(x, torch.tensor([[0, 1], [1, 2]]))


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        ("edges", TypeError, "`edge_index` must be a dense tensor, got str"),
        (torch.eye(3).to_sparse_csr(), TypeError, "edge list first"),
        (
            torch.zeros(3, 2).long(),
            ValueError,
            r"`edge_index` must have shape \(2, edges",
        ),
        (torch.zeros(2, 1), TypeError, r"convert it with `edge_index.long\(\)`"),
        (
            torch.zeros(2, 1, device="meta").long(),
            ValueError,
            r"edge_index.to\(x.device",
        ),
    ],
)
def test_bad_edges_are_refused(edges, error, words, activation):
    with pytest.raises(error, match=words):
        activation(1)(torch.ones(3, 1), edges)


@pytest.mark.parametrize(
    ("weight", "error", "words"),
    [
        (torch.ones(3), ValueError, r"`edge_weight` must have shape \(2,\)"),
        (torch.tensor([1.0, torch.nan]), ValueError, "`edge_weight` must be finite"),
        (torch.ones(2).requires_grad_(), ValueError, "must not require a gradient"),
        (torch.ones(2, device="meta"), ValueError, r"edge_weight.to\(x.device\)"),
    ],
)
def test_bad_weights_are_refused(weight, error, words):
    with pytest.raises(error, match=words):
        pyg.GraphFilter(1, 1, taps=2)(
            torch.ones(3, 1), torch.tensor([[0, 1], [1, 2]]), weight
        )


def test_weights_are_no_argument_of_an_activation(activation):
    with pytest.raises(TypeError, match="takes 3 positional arguments but 4"):
        activation(1)(torch.ones(2, 1), torch.tensor([[0], [1]]), torch.ones(1))


def test_bad_settings_are_refused(activation):
    with pytest.raises(ValueError, match="`hops` must be at least 0, got -1"):
        activation(-1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'hop'"):
        activation(hop=1)
