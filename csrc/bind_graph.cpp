// What concerns a graph alone, for Python.
#include <nanobind/stl/optional.h>

#include "bindings.hpp"

namespace vicinal {
namespace {

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

bool are_nodes(const In& nodes, int64_t num_nodes) {
  const int32_t* list = ids("nodes", nodes, shape_of(nodes));
  nb::gil_scoped_release released;
  return active().graph.are_nodes(list, static_cast<int64_t>(nodes.size()), num_nodes);
}

}  // namespace

void define_graph(nb::module_& m) {
  using namespace nb::literals;
  m.def("csr_check", &csr_check, "indptr"_a, "indices"_a, "num_columns"_a,
        "threads"_a);
  m.def("ball_sizes", &ball_sizes, "indptr"_a, "indices"_a, "hops"_a, "exact"_a,
        "sizes"_a, "threads"_a, "centers"_a.none() = nb::none());
  m.def("balls", &balls, "indptr"_a, "indices"_a, "hops"_a, "exact"_a,
        "ball_indptr"_a, "ball_indices"_a, "threads"_a);
  m.def("are_nodes", &are_nodes, "nodes"_a, "num_nodes"_a);
}

}  // namespace vicinal
