// Selections for Python: ranks and maxima over rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"

namespace vicinal {
namespace {

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

}  // namespace

void define_select(nb::module_& m) {
  using namespace nb::literals;
  m.def("select", &select, "x"_a, "indptr"_a, "indices"_a, "rank"_a, "skip_nan"_a,
        "values"_a.none(), "nodes"_a.none(), "threads"_a, "path"_a = "auto",
        "hops"_a = 1);
  m.def("select_combine", &select_combine, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "rank"_a, "skip_nan"_a, "weight"_a, "combined"_a, "nodes"_a.none(), "threads"_a,
        "path"_a = "auto");
  m.def("select_centers", &select_centers, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "centers"_a, "rank"_a, "skip_nan"_a, "values"_a.none(), "nodes"_a.none(),
        "threads"_a);
  m.def("maxima", &maxima, "x"_a, "indptr"_a, "indices"_a, "hops"_a, "skip_nan"_a,
        "values"_a.none(), "nodes"_a.none(), "threads"_a);
  m.def("maxima_combine", &maxima_combine, "x"_a, "indptr"_a, "indices"_a, "hops"_a,
        "skip_nan"_a, "weight"_a, "combined"_a, "nodes"_a.none(), "threads"_a);
}

}  // namespace vicinal
