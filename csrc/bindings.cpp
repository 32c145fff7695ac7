// The Python module `_native`: array views in and out, checked; nothing else.
//
// Arrays are C-contiguous and allocated by the caller. A wrong shape or dtype raises
// ValueError; CSR structures are not searched here, `csr_check` does that.
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "api.hpp"

namespace nb = nanobind;

namespace vicinal {

namespace baseline {
extern const KernelSet kernel_set;
}
#ifdef VICINAL_AVX2
namespace avx2 {
extern const KernelSet kernel_set;
}
#endif

namespace {

using In = nb::ndarray<nb::ro>;
using Out = nb::ndarray<>;
using MaybeOut = std::optional<nb::ndarray<>>;
using Shape64 = std::vector<int64_t>;

const KernelSet& choose() {
#ifdef VICINAL_AVX2
  const char* forced = std::getenv("VICINAL_ISA");
  const bool slow = forced && std::strcmp(forced, "baseline") == 0;
  __builtin_cpu_init();
  if (!slow && __builtin_cpu_supports("avx2"))
    return avx2::kernel_set;
#endif
  return baseline::kernel_set;
}

const KernelSet& active() {
  static const KernelSet& set = choose();
  return set;
}

// --- checks ---------------------------------------------------------------------------

[[noreturn]] void refuse(const char* name, const std::string& rule) {
  const std::string text = std::string("`") + name + "` must " + rule;
  throw nb::value_error(text.c_str());
}

std::string show(const Shape64& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

template <typename Array>
Shape64 shape_of(const Array& array) {
  Shape64 shape;
  for (size_t i = 0; i < array.ndim(); ++i)
    shape.push_back(static_cast<int64_t>(array.shape(i)));
  return shape;
}

template <typename T, typename Array>
T* data(const char* name, const Array& array, const char* dtype) {
  if (array.dtype() != nb::dtype<std::remove_const_t<T>>())
    refuse(name, std::string("be an array of ") + dtype);
  if (array.device_type() != nb::device::cpu::value)
    refuse(name, "be on the CPU");
  int64_t stride = 1;
  for (size_t i = array.ndim(); i-- > 0; stride *= static_cast<int64_t>(array.shape(i)))
    if (array.shape(i) > 1 && array.size() > 0 && array.stride(i) != stride)
      refuse(name, "be C-contiguous");
  return static_cast<T*>(const_cast<void*>(static_cast<const void*>(array.data())));
}

template <typename Array>
void check_shape(const char* name, const Array& array, const Shape64& expected) {
  if (shape_of(array) != expected)
    refuse(name, "have shape " + show(expected) + ", got " + show(shape_of(array)));
}

template <typename T>
constexpr const char* kFloatName = sizeof(T) == 4 ? "float32" : "float64";

template <typename T>
const T* floats(const char* name, const In& array, const Shape64& expected) {
  check_shape(name, array, expected);
  return data<const T>(name, array, kFloatName<T>);
}

template <typename T>
T* floats(const char* name, const MaybeOut& array, const Shape64& expected) {
  if (!array)
    return nullptr;
  check_shape(name, *array, expected);
  return data<T>(name, *array, kFloatName<T>);
}

int32_t* ids(const char* name, const MaybeOut& array, const Shape64& expected) {
  if (!array)
    return nullptr;
  check_shape(name, *array, expected);
  return data<int32_t>(name, *array, "int32");
}

const int32_t* ids(const char* name, const In& array, const Shape64& expected) {
  check_shape(name, array, expected);
  return data<const int32_t>(name, array, "int32");
}

bool is_double(const char* name, const In& array) {
  if (array.dtype() == nb::dtype<double>())
    return true;
  if (array.dtype() != nb::dtype<float>())
    refuse(name, "be an array of float32 or float64");
  return false;
}

Csr csr_of(const In& indptr, const In& indices) {
  if (indptr.ndim() != 1 || indptr.shape(0) == 0)
    refuse("indptr", "be a vector of one number more than rows");
  if (indices.ndim() != 1)
    refuse("indices", "be a vector");
  const Csr csr{data<const int64_t>("indptr", indptr, "int64"),
                data<const int32_t>("indices", indices, "int32"),
                static_cast<int64_t>(indptr.shape(0)) - 1};
  if (csr.indptr[0] != 0 ||
      csr.indptr[csr.num_rows] != static_cast<int64_t>(indices.shape(0)))
    refuse("indptr", "start at 0 and end at the number of indices");
  return csr;
}

Shape shape3(const char* name, const In& x) {
  if (x.ndim() != 3)
    refuse(name, "have three dimensions (batch, nodes, features), got " +
                     show(shape_of(x)));
  if (x.shape(1) > INT32_MAX)
    refuse(name, "have fewer than 2**31 nodes");
  return {static_cast<int64_t>(x.shape(0)), static_cast<int64_t>(x.shape(1)),
          static_cast<int64_t>(x.shape(2))};
}

int64_t hops_of(int64_t hops) {
  if (hops < 0)
    refuse("hops", "be at least 0, got " + std::to_string(hops));
  return hops;
}

using RankTuple = std::tuple<int64_t, int64_t, int64_t>;

Rank rank_of(const RankTuple& rank) {
  const auto [numerator, offset, denominator] = rank;
  if (denominator < 1 || denominator > 1000000000 || numerator < 0 ||
      numerator > denominator || offset < 0 || offset >= denominator)
    refuse("rank", "be (numerator, offset, denominator) with 0 <= numerator <= "
                   "denominator <= 10**9 and 0 <= offset < denominator");
  return {numerator, offset, denominator};
}

Path path_of(const std::string& name) {
  static const char* const names[] = {"auto", "network", "ranks", "codes", "balls",
                                      "plain"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i])
      return static_cast<Path>(i);
  refuse("path", "be auto, network, ranks, codes, balls or plain, got " + name);
}

// The weight of a combination: (hops + 1,) or (hops + 1, features).
template <typename T>
const T* weight_of(const In& weight, int64_t hops, int64_t features, bool* per_feature) {
  *per_feature = weight.ndim() == 2;
  return floats<T>("weight", weight,
                   *per_feature ? Shape64{hops + 1, features} : Shape64{hops + 1});
}

struct Combination {
  const In* weight;
  const Out* combined;
};

template <typename T>
Output<T> output_of(Shape shape, int64_t rows, int64_t hops, const MaybeOut& values,
                    const MaybeOut& nodes, const Combination* combination) {
  const Shape64 expected{shape.batch, rows, shape.features};
  Output<T> out{floats<T>("values", values, expected), ids("nodes", nodes, expected),
                nullptr, nullptr, false};
  if (combination) {
    out.weight = weight_of<T>(*combination->weight, hops, shape.features,
                              &out.per_feature);
    out.combined = floats<T>("combined", MaybeOut(*combination->combined),
                             {shape.batch, shape.nodes, shape.features});
  }
  return out;
}

template <typename F>
void dispatch(const char* name, const In& x, F&& body) {
  if (is_double(name, x))
    body(active().float64, double{});
  else
    body(active().float32, float{});
}

// --- selection ------------------------------------------------------------------------

void run_select(const In& x, Csr csr, int64_t hops, const RankTuple& rank, bool skip_nan,
                const MaybeOut& values, const MaybeOut& nodes, int threads,
                const std::string& path, const Combination* combination) {
  const Shape shape = shape3("x", x);
  const Choice choice{rank_of(rank), skip_nan, path_of(path), threads};
  const bool balls = choice.path == Path::balls;
  const int64_t rows = balls ? hops_of(hops) * csr.num_rows : csr.num_rows;
  if (balls && csr.num_rows != shape.nodes)
    refuse("indptr", "have one row per node");
  if (combination && rows != hops * shape.nodes)
    refuse("indptr", "have hops * nodes rows");
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    const auto out = output_of<T>(shape, rows, hops, values, nodes, combination);
    nb::gil_scoped_release released;
    if (balls)
      kernels.select_balls(from, shape, csr, hops, nullptr, csr.num_rows, choice, out);
    else
      kernels.select(from, shape, csr, hops, choice, out);
  });
}

void select(const In& x, const In& indptr, const In& indices, const RankTuple& rank,
            bool skip_nan, const MaybeOut& values, const MaybeOut& nodes, int threads,
            const std::string& path, int64_t hops) {
  run_select(x, csr_of(indptr, indices), hops, rank, skip_nan, values, nodes, threads,
             path, nullptr);
}

void select_combine(const In& x, const In& indptr, const In& indices, int64_t hops,
                    const RankTuple& rank, bool skip_nan, const In& weight,
                    const Out& combined, const MaybeOut& nodes, int threads,
                    const std::string& path) {
  const Combination combination{&weight, &combined};
  run_select(x, csr_of(indptr, indices), hops_of(hops), rank, skip_nan, std::nullopt,
             nodes, threads, path, &combination);
}

void select_centers(const In& x, const In& indptr, const In& indices, int64_t hops,
                    const In& centers, const RankTuple& rank, bool skip_nan,
                    const MaybeOut& values, const MaybeOut& nodes, int threads) {
  const Shape shape = shape3("x", x);
  const Csr csr = csr_of(indptr, indices);
  const Choice choice{rank_of(rank), skip_nan, Path::balls, threads};
  const int64_t count = static_cast<int64_t>(centers.size());
  const int32_t* list = ids("centers", centers, {count});
  if (csr.num_rows != shape.nodes)
    refuse("indptr", "have one row per node");
  for (int64_t i = 0; i < count; ++i)
    if (list[i] < 0 || list[i] >= shape.nodes)
      refuse("centers", "be node ids, got " + std::to_string(list[i]));
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    const auto out =
        output_of<T>(shape, hops_of(hops) * count, hops, values, nodes, nullptr);
    nb::gil_scoped_release released;
    kernels.select_balls(from, shape, csr, hops, list, count, choice, out);
  });
}

void run_maxima(const In& x, Csr csr, int64_t hops, bool skip_nan, const MaybeOut& values,
                const MaybeOut& nodes, int threads, const Combination* combination) {
  const Shape shape = shape3("x", x);
  if (csr.num_rows != shape.nodes)
    refuse("indptr", "have one row per node");
  const Choice choice{{1, 0, 1}, skip_nan, Path::automatic, threads};
  const int64_t rows = hops_of(hops) * shape.nodes;
  dispatch("x", x, [&](const auto& kernels, auto type) {
    using T = decltype(type);
    const T* from = floats<T>("x", x, shape_of(x));
    const auto out = output_of<T>(shape, rows, hops, values, nodes, combination);
    nb::gil_scoped_release released;
    kernels.maxima(from, shape, csr, hops, choice, out);
  });
}

void maxima(const In& x, const In& indptr, const In& indices, int64_t hops, bool skip_nan,
            const MaybeOut& values, const MaybeOut& nodes, int threads) {
  run_maxima(x, csr_of(indptr, indices), hops, skip_nan, values, nodes, threads, nullptr);
}

void maxima_combine(const In& x, const In& indptr, const In& indices, int64_t hops,
                    bool skip_nan, const In& weight, const Out& combined,
                    const MaybeOut& nodes, int threads) {
  const Combination combination{&weight, &combined};
  run_maxima(x, csr_of(indptr, indices), hops, skip_nan, std::nullopt, nodes, threads,
             &combination);
}

// --- along selected nodes -------------------------------------------------------------

// Node ids are trusted: they come from a selection of ours.
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
    kernels.product(from, columns, csr, w, threads, to);
  });
}

// --- graphs ---------------------------------------------------------------------------

int csr_check(const In& indptr, const In& indices, int64_t num_columns, int threads) {
  if (indptr.ndim() != 1 || indptr.shape(0) == 0 || indices.ndim() != 1)
    return 1;
  const Csr csr{data<const int64_t>("indptr", indptr, "int64"),
                data<const int32_t>("indices", indices, "int32"),
                static_cast<int64_t>(indptr.shape(0)) - 1};
  nb::gil_scoped_release released;
  return active().graph.csr_check(csr, static_cast<int64_t>(indices.shape(0)),
                                  num_columns, threads);
}

void ball_sizes(const In& indptr, const In& indices, int64_t hops, bool exact,
                const Out& sizes, int threads, const std::optional<In>& centers) {
  const Csr csr = csr_of(indptr, indices);
  const int64_t count = centers ? static_cast<int64_t>(centers->size()) : csr.num_rows;
  const int32_t* list = centers ? ids("centers", *centers, {count}) : nullptr;
  for (int64_t i = 0; list && i < count; ++i)
    if (list[i] < 0 || list[i] >= csr.num_rows)
      refuse("centers", "be node ids, got " + std::to_string(list[i]));
  check_shape("sizes", sizes, {hops_of(hops), count});
  int64_t* to = data<int64_t>("sizes", sizes, "int64");
  nb::gil_scoped_release released;
  active().graph.ball_sizes(csr, hops, exact, list, count, threads, to);
}

// `ball_indptr` must be the running sum of `ball_sizes`: nothing else fits.
void balls(const In& indptr, const In& indices, int64_t hops, bool exact,
           const In& ball_indptr, const Out& ball_indices, int threads) {
  const Csr csr = csr_of(indptr, indices);
  check_shape("ball_indptr", ball_indptr, {hops_of(hops) * csr.num_rows + 1});
  const auto* starts = data<const int64_t>("ball_indptr", ball_indptr, "int64");
  check_shape("ball_indices", ball_indices, {starts[hops * csr.num_rows]});
  int32_t* to = data<int32_t>("ball_indices", ball_indices, "int32");
  nb::gil_scoped_release released;
  active().graph.balls(csr, hops, exact, threads, starts, to);
}

std::tuple<bool, int64_t, double> plan(const In& indptr, const In& indices,
                                       int64_t num_nodes, const RankTuple& rank,
                                       bool wide, const std::string& path) {
  const PlanReport report = active().graph.plan(csr_of(indptr, indices), num_nodes,
                                                rank_of(rank), wide, path_of(path));
  return {report.ranks, report.network_limit, report.nanoseconds};
}

}  // namespace
}  // namespace vicinal

NB_MODULE(_native, m) {
  namespace v = vicinal;
  using namespace nb::literals;
  m.def("isa", [] { return std::string(v::active().isa); });
  m.def("select", &v::select, "x"_a, "indptr"_a, "indices"_a, "rank"_a, "skip_nan"_a,
        "values"_a.none(), "nodes"_a.none(), "threads"_a, "path"_a = "auto",
        "hops"_a = 1);
  m.def("select_combine", &v::select_combine, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "rank"_a, "skip_nan"_a, "weight"_a, "combined"_a, "nodes"_a.none(), "threads"_a,
        "path"_a = "auto");
  m.def("select_centers", &v::select_centers, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "centers"_a, "rank"_a, "skip_nan"_a, "values"_a.none(), "nodes"_a.none(),
        "threads"_a);
  m.def("maxima", &v::maxima, "x"_a, "indptr"_a, "indices"_a, "hops"_a, "skip_nan"_a,
        "values"_a.none(), "nodes"_a.none(), "threads"_a);
  m.def("maxima_combine", &v::maxima_combine, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "skip_nan"_a, "weight"_a, "combined"_a, "nodes"_a.none(), "threads"_a);
  m.def("scatter", &v::scatter, "grad"_a, "nodes"_a, "grad_x"_a, "threads"_a);
  m.def("gather", &v::gather, "x"_a, "nodes"_a, "values"_a, "threads"_a);
  m.def("combine_backward", &v::combine_backward, "grad"_a, "x"_a, "nodes"_a, "weight"_a,
        "grad_x"_a, "grad_weight"_a, "threads"_a);
  m.def("product", &v::product, "x"_a, "indptr"_a, "indices"_a, "weight"_a, "result"_a,
        "threads"_a);
  m.def("csr_check", &v::csr_check, "indptr"_a, "indices"_a, "num_columns"_a,
        "threads"_a);
  m.def("ball_sizes", &v::ball_sizes, "indptr"_a, "indices"_a, "hops"_a, "exact"_a,
        "sizes"_a, "threads"_a, "centers"_a.none() = nb::none());
  m.def("balls", &v::balls, "indptr"_a, "indices"_a, "hops"_a, "exact"_a,
        "ball_indptr"_a, "ball_indices"_a, "threads"_a);
  m.def("plan", &v::plan, "indptr"_a, "indices"_a, "num_nodes"_a, "rank"_a,
        "double"_a = false, "path"_a = "auto");
}
