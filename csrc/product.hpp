// CSR matrix times dense matrix, sums in the order of the row for any thread count.
#pragma once

#include <utility>

#include "plan.hpp"
#include "rows.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

template <typename T, int Vectors>
[[gnu::always_inline]] inline void product_block(const T* x, int64_t columns,
                                                 const int32_t* ids, const T* weight,
                                                 int64_t n, int64_t ahead, T* result) {
  Vec<T> sum[Vectors] = {};
  for (int64_t j = 0; j < n; ++j) {
    const T* from = x + ids[j] * columns;
    const T* later = x + ids[least(j + 6, ahead)] * columns;
    for (int v = 0; v < Vectors; v += 64 / VICINAL_VECTOR_BYTES)
      __builtin_prefetch(later + v * kWidth<T>);
    for (int v = 0; v < Vectors; ++v)
      sum[v] += weight[j] * load(from + v * kWidth<T>);
  }
  for (int v = 0; v < Vectors; ++v)
    store(result + v * kWidth<T>, sum[v]);
}

// Fewer columns than a vector has lanes.
template <typename T, int Columns>
void product_narrow(const T* x, const int32_t* ids, const T* weight, int64_t n,
                    T* result) {
  T sum[Columns] = {};
  for (int64_t j = 0; j < n; ++j)
    for (int c = 0; c < Columns; ++c)
      sum[c] += weight[j] * x[ids[j] * int64_t(Columns) + c];
  for (int c = 0; c < Columns; ++c)
    result[c] = sum[c];
}

template <typename T, size_t... Less>
inline void product_narrow(const T* x, int64_t columns, const int32_t* ids,
                           const T* weight, int64_t n, T* result,
                           std::index_sequence<Less...>) {
  using Row = void (*)(const T*, const int32_t*, const T*, int64_t, T*);
  constexpr Row rows[] = {&product_narrow<T, Less + 1>...};
  rows[columns - 1](x, ids, weight, n, result);
}

template <typename T>
void product_row(const T* x, int64_t columns, const int32_t* ids, const T* weight,
                 int64_t n, int64_t ahead, T* result) {
  if (columns < kWidth<T>)
    return product_narrow(x, columns, ids, weight, n, result,
                          std::make_index_sequence<kWidth<T> - 1>{});
  int64_t c = 0;
  for (; c + kTile <= columns; c += kTile)
    product_block<T, kTile / kWidth<T>>(x + c, columns, ids, weight, n, ahead,
                                        result + c);
  for (; c < columns; c += kWidth<T>) {
    const int64_t d = least<int64_t>(c, columns - kWidth<T>);
    product_block<T, 1>(x + d, columns, ids, weight, n, ahead, result + d);
  }
}

// x: (num_columns, columns), result: (num_rows, columns); sums in the order of the row.
template <typename T>
void product(const T* x, int64_t columns, Csr csr, const T* weight, int threads,
             T* result) {
  if (columns == 0)
    return;
  const Stack stack{csr, 1, csr.num_rows};
  const int64_t entries = csr.indptr[csr.num_rows];
  const double work = static_cast<double>(entries + csr.num_rows) * columns;
  threads = worth(0.1 * work, threads);
  const int64_t parts = threads > 1 ? 8 * threads : 1;
  parallel(threads, parts, [&](int64_t part) {
    const int64_t end = cut(stack, part + 1, parts);
    for (int64_t i = cut(stack, part, parts); i < end; ++i) {
      const int64_t at = csr.indptr[i];
      product_row(x, columns, csr.indices + at, weight + at, csr.indptr[i + 1] - at,
                  entries - at - 1, result + i * columns);
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
