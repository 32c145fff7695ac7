"""GraphFilter: shift invariance, convolution, spectra, inputs that never change."""

import copy

import numpy as np
import pytest
import torch

import vicinal as vc
from vicinal.graphs.shifts import SHIFTS
from vicinal.nn import GraphFilter, Shifted


@pytest.fixture
def graph():
    """A directed graph with positive weights and a cycle through all nodes."""
    generator = torch.Generator().manual_seed(2)
    weight = torch.rand(10, 10, generator=generator, dtype=torch.float64)
    kept = torch.rand(10, 10, generator=generator) < 0.3
    kept[range(10), range(-1, 9)] = True
    return vc.Graph.from_dense(weight * kept)


def bank(inputs=2, outputs=3, taps=4, **settings):
    return GraphFilter(inputs, outputs, taps, **settings).double()


def signal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def same(found, expected, atol=1e-12):
    torch.testing.assert_close(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("name", SHIFTS)
@pytest.mark.parametrize("scaled", [False, True])
def test_filtering_and_shifting_commute(name, scaled, graph):
    h = bank(bias=False, shift=name, scaled=scaled)
    s = graph.shift(name, scaled=scaled, dtype=torch.float64).to_dense()
    x = signal(3, 10, 2)
    expected = s @ h(x, graph)
    torch.testing.assert_close(h(s @ x, graph), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", SHIFTS)
def test_the_shift_is_chosen_by_name(name, graph):
    h, x = bank(bias=False, shift=name), signal(10, 2)
    s = graph.shift(name, dtype=torch.float64).to_dense()
    powers = (torch.linalg.matrix_power(s, k) @ x @ h.weight[k] for k in range(4))
    same(h(x, graph), sum(powers))


def test_the_default_shift_is_the_adjacency_over_its_spectral_radius(graph):
    x, h = signal(10, 1), bank(1, 1, taps=2, bias=False)
    dense = graph.to_dense()
    radius = np.abs(np.linalg.eigvals(dense.numpy())).max()
    expected = h.weight[0, 0] * x + h.weight[1, 0] * (dense / radius) @ x
    same(h(x, graph), expected)


def test_on_a_directed_cycle_it_is_circular_convolution():
    n, taps = 16, 5
    cycle = vc.Graph.from_edges([(i, (i + 1) % n) for i in range(n)])
    h, x = bank(1, 1, taps, bias=False), signal(n, 1)
    kernel = np.zeros(n)
    kernel[:taps] = h.weight.detach().flatten()
    product = np.fft.fft(kernel) * np.fft.fft(x.flatten().numpy())
    expected = torch.from_numpy(np.fft.ifft(product).real)
    same(h(x, cycle).flatten(), expected)


def test_vertex_and_spectral_form_agree():
    graph = vc.graphs.erdos_renyi(20, 0.3, seed=1)
    s = graph.shift(dtype=torch.float64).to_dense()
    same(s, s.T)
    eigenvalues, basis = torch.linalg.eigh(s)
    h, x = bank(2, 3, taps=5, bias=False), signal(4, 20, 2)
    response = h.frequency_response(eigenvalues)  # (n, G, F)
    spectral = torch.einsum("ngf,bng->bnf", response, basis.T @ x)
    same(h(x, graph), basis @ spectral)


def test_frequency_response_is_the_polynomial_of_the_taps():
    h, frequencies = bank(2, 3, taps=4), torch.linspace(-1, 1, 7, dtype=torch.float64)
    found = h.frequency_response(frequencies)
    assert found.shape == (7, 2, 3)
    for g in range(2):
        for f in range(3):
            coefficients = h.weight[:, g, f].detach().numpy()
            expected = np.polynomial.polynomial.polyval(frequencies, coefficients)
            same(found[:, g, f], torch.as_tensor(expected))
    found.sum().backward()
    same(h.weight.grad[0], torch.full((2, 3), 7.0, dtype=torch.float64))


def test_frequency_response_at_zero_is_the_first_tap():
    h = bank(2, 3)
    zero = torch.zeros(1, dtype=torch.float64)
    assert h.frequency_response(zero)[0].equal(h.weight[0])


def test_frequency_response_takes_integers_and_any_shape():
    h = bank(2, 3)
    whole = torch.arange(6).view(2, 3)
    found = h.frequency_response(whole)
    assert found.shape == (2, 3, 2, 3)
    assert found.equal(h.frequency_response(whole.double()))
    with pytest.raises(TypeError, match="`frequencies` must be a tensor, got list"):
        h.frequency_response([1.0])


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("leading", [(), (3,)])
@pytest.mark.parametrize(("inputs", "outputs"), [(1, 5), (5, 1)])
def test_shifted_inputs_give_the_same(bias, leading, inputs, outputs, graph):
    h, x = bank(inputs, outputs, bias=bias), signal(*leading, 10, inputs)
    direct = h(x, graph)
    expected = torch.autograd.grad(direct.sin().sum(), list(h.parameters()))
    shifted = h.shifted(x, graph)
    assert isinstance(shifted, Shifted)
    found = h(shifted, graph)
    same(found, direct)
    gradients = torch.autograd.grad(found.sin().sum(), list(h.parameters()))
    for gradient, right in zip(gradients, expected, strict=True):
        same(gradient, right)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_sparse_inputs_give_the_same(layout, graph):
    h, x = bank(6, 2), signal(10, 6) * (torch.rand(10, 6) < 0.3)
    expected = torch.autograd.grad(h(x, graph).sin().sum(), list(h.parameters()))
    found = h(x.to_sparse(layout=layout), graph)
    same(found, h(x, graph))
    gradients = torch.autograd.grad(found.sin().sum(), list(h.parameters()))
    for gradient, right in zip(gradients, expected, strict=True):
        same(gradient, right)


def test_coefficients_start_in_the_interval_of_the_authors():
    h = GraphFilter(10, 1000, taps=5)
    bound = (10 * 5) ** -0.5
    for parameter in h.parameters():
        assert parameter.abs().max() <= bound
        assert parameter.abs().max() > 0.99 * bound
        assert parameter.std().item() == pytest.approx(bound / 3**0.5, rel=0.05)


def test_one_filter_serves_many_graphs(graph):
    h, ring = bank(), vc.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    assert h(signal(10, 2), graph).shape == (10, 3)
    assert h(signal(3, 2), ring).shape == (3, 3)


def test_modules_behave_as_torch_users_expect(graph, tmp_path):
    h, x = bank(), signal(10, 2)
    twin = copy.deepcopy(h)
    assert twin(x, graph).equal(h(x, graph))
    torch.save(h.state_dict(), tmp_path / "weights.pt")
    other = bank()
    other.load_state_dict(torch.load(tmp_path / "weights.pt", weights_only=True))
    assert other(x, graph).equal(h(x, graph))
    assert h.float()(x.float(), graph).dtype == torch.float32
    assert h.to("meta").weight.is_meta
    expected = "GraphFilter(2, 3, taps=4, bias=True, shift='adjacency', scaled=True)"
    assert repr(h) == expected


def test_filters_are_permutation_equivariant(graph):
    vc.testing.assert_permutation_equivariant(bank(), graph, features=2)


@pytest.mark.parametrize("name", ["in_features", "out_features", "taps"])
def test_counts_must_be_positive_integers(name):
    counts = {"in_features": 1, "out_features": 1, "taps": 1}
    with pytest.raises(ValueError, match=f"`{name}` must be at least 1, got 0"):
        GraphFilter(**{**counts, name: 0})
    for wrong in ("2", 2.0, None, True):
        with pytest.raises(TypeError, match=f"`{name}` must be an integer, got"):
            GraphFilter(**{**counts, name: wrong})


@pytest.mark.parametrize("name", ["Adjacency", None, 3])
def test_an_unknown_shift_is_refused(name):
    with pytest.raises(ValueError, match=r"`shift` must be one of .*'adjacency'.* got"):
        GraphFilter(1, 1, 2, shift=name)


@pytest.mark.parametrize("shape", [(10, 3), (9, 2), (2,), (2, 2, 10)])
def test_signals_of_the_wrong_shape_are_refused(shape, graph):
    with pytest.raises(ValueError, match=r"`x` must have shape \(\.\.\., 10, 2\), got"):
        bank()(signal(*shape), graph)


def test_signals_that_are_no_numbers_are_refused(graph):
    with pytest.raises(TypeError, match=r"`x` must be floating point, got torch.int64"):
        bank()(torch.ones(10, 2, dtype=torch.int64), graph)
    with pytest.raises(TypeError, match="`x` must be a tensor, got list"):
        bank()([[1.0, 2.0]] * 10, graph)


@pytest.mark.parametrize("outputs", [1, 9])  # more, or fewer, than the inputs
def test_signals_of_another_precision_are_refused(outputs, graph):
    with pytest.raises(TypeError, match=r"`x` must .*float64.*, got torch\.float32"):
        bank(2, outputs)(signal(10, 2).float(), graph)


def test_shifted_inputs_of_another_filter_are_refused(graph):
    shorter = bank(taps=2).shifted(signal(10, 2), graph)
    with pytest.raises(ValueError, match=r"`x` must .*4 taps, got 2"):
        bank(taps=4)(shorter, graph)


def test_a_graph_must_be_a_graph():
    with pytest.raises(TypeError, match=r"`graph` must be a vicinal.Graph, got Tensor"):
        bank()(signal(10, 2), torch.eye(10))


def test_graph_and_signal_must_share_a_device(graph):
    with pytest.raises(ValueError, match=r"\(meta\), got cpu; move it with"):
        bank()(signal(10, 2).to("meta"), graph)


def test_a_graph_without_cycles_needs_scaled_false(chain):
    with pytest.raises(ValueError, match="got radius 0; pass `scaled=False`"):
        bank(1, 1)(signal(3, 1), chain)
    e0 = torch.eye(3, dtype=torch.float64)[:, :1]
    h = bank(1, 1, taps=2, bias=False, scaled=False)
    same(h(e0, chain).flatten()[1], h.weight[1, 0, 0])  # A e0 = e1 on 0 -> 1 -> 2
