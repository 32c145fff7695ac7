// What follows selected nodes, and sparse products, for Python.

#include "bindings.hpp"

namespace vicinal {
namespace {

// Node ids are not searched here: `are_nodes` does that.
void scatter(const In& grad, const In& nodes, const Out& grad_x, int threads) {
  const Shape from = shape3("grad", grad);
  const Shape shape{from.batch, grad_x.ndim() == 3 ? int64_t(grad_x.shape(1)) : 0,
                    from.features};
  const int32_t* list = ids("nodes", nodes, shape_of(grad));
  dispatch("grad", grad, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* g = floats<T>("grad", grad, shape_of(grad));
    T* to = floats<T>("grad_x", MaybeOut(grad_x),
                      {shape.batch, shape.nodes, shape.features});
    nb::gil_scoped_release released;
    kernels.scatter(g, list, from.nodes, shape, threads, to);
  });
}

void gather(const In& x, const In& nodes, const Out& values, int threads) {
  const Shape shape = shape3("x", x), rows = shape3("nodes", nodes);
  const Shape64 expected{shape.batch, rows.nodes, shape.features};
  const int32_t* list = ids("nodes", nodes, expected);
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    T* to = floats<T>("values", MaybeOut(values), expected);
    nb::gil_scoped_release released;
    kernels.gather(from, list, rows.nodes, shape, threads, to);
  });
}

void combine_backward(const In& grad, const In& x, const In& nodes, const In& weight,
                      const Out& grad_x, const Out& grad_weight, int threads) {
  const Shape shape = shape3("x", x);
  const int64_t hops = weight.ndim() ? int64_t(weight.shape(0)) - 1 : -1;
  if (hops < 0)
    refuse("weight", "have shape (hops + 1,) or (hops + 1, features)");
  const int32_t* list =
      ids("nodes", nodes, {shape.batch, hops * shape.nodes, shape.features});
  double* grad_w = floats<double>("grad_weight", MaybeOut(grad_weight), shape_of(weight));
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    bool per_feature;
    const T* w = weight_of<T>(weight, hops, shape.features, &per_feature);
    const T* from = floats<T>("x", x, shape_of(x));
    const T* g = floats<T>("grad", grad, shape_of(x));
    T* to = floats<T>("grad_x", MaybeOut(grad_x), shape_of(x));
    nb::gil_scoped_release released;
    kernels.combine_backward(g, from, list, hops, shape, w, per_feature, threads, to,
                             grad_w);
  });
}

void product(const In& x, const In& indptr, const In& indices, const In& weight,
             const Out& result, int threads) {
  const Csr csr = csr_of(indptr, indices);
  if (x.ndim() != 2)
    refuse("x", "have two dimensions (nodes, columns), got " + show(shape_of(x)));
  const int64_t columns = static_cast<int64_t>(x.shape(1));
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    const T* w = floats<T>("weight", weight, shape_of(indices));
    T* to = floats<T>("result", MaybeOut(result), {csr.num_rows, columns});
    nb::gil_scoped_release released;
    kernels.product(from, static_cast<int64_t>(x.shape(0)), columns, csr, w, threads, to);
  });
}

// (batch, nodes, taps, features) beside (batch, nodes, features), for a square matrix.
template <typename Array>
int64_t taps_of(const char* name, const Array& tapped, Shape shape, Csr csr) {
  const int64_t taps = tapped.ndim() == 4 ? int64_t(tapped.shape(2)) : 0;
  if (taps < 1)
    refuse(name, "have shape (batch, nodes, taps, features) and at least one tap");
  if (csr.num_rows != shape.nodes)
    refuse("indptr", "have one row per node");
  return taps;
}

void powers(const In& x, const In& indptr, const In& indices, const In& weight,
            const Out& result, int threads) {
  const Csr csr = csr_of(indptr, indices);
  const Shape shape = shape3("x", x);
  const int64_t taps = taps_of("result", result, shape, csr);
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    const T* w = floats<T>("weight", weight, shape_of(indices));
    T* to = floats<T>("result", MaybeOut(result),
                      {shape.batch, shape.nodes, taps, shape.features});
    nb::gil_scoped_release released;
    kernels.powers(from, shape, csr, w, taps, threads, to);
  });
}

void horner(const In& terms, const In& indptr, const In& indices, const In& weight,
            const Out& result, int threads) {
  const Csr csr = csr_of(indptr, indices);
  const Shape shape = shape3("result", In(result));
  const int64_t taps = taps_of("terms", terms, shape, csr);
  dispatch("terms", terms, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from =
        floats<T>("terms", terms, {shape.batch, shape.nodes, taps, shape.features});
    const T* w = floats<T>("weight", weight, shape_of(indices));
    T* to = floats<T>("result", MaybeOut(result), shape_of(result));
    nb::gil_scoped_release released;
    kernels.horner(from, shape, csr, w, taps, threads, to);
  });
}

}  // namespace

void define_nodes(nb::module_& m) {
  using namespace nb::literals;
  m.def("scatter", &scatter, "grad"_a, "nodes"_a, "grad_x"_a, "threads"_a);
  m.def("gather", &gather, "x"_a, "nodes"_a, "values"_a, "threads"_a);
  m.def("combine_backward", &combine_backward, "grad"_a, "x"_a, "nodes"_a, "weight"_a,
        "grad_x"_a, "grad_weight"_a, "threads"_a);
  m.def("product", &product, "x"_a, "indptr"_a, "indices"_a, "weight"_a, "result"_a,
        "threads"_a);
  m.def("powers", &powers, "x"_a, "indptr"_a, "indices"_a, "weight"_a, "result"_a,
        "threads"_a);
  m.def("horner", &horner, "terms"_a, "indptr"_a, "indices"_a, "weight"_a, "result"_a,
        "threads"_a);
}

}  // namespace vicinal
