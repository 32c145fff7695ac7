// CSR matrix times dense matrix, sums in the order of the row for any thread count.
#pragma once

#include "rows.hpp"
#include "plan.hpp"

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

// x: (num_columns, columns), result: (num_rows, columns); sums in the order of the row.
template <typename T>
void product(const T* x, int64_t columns, Csr csr, const T* weight, int threads,
             T* result) {
  const Stack stack{csr, 1, csr.num_rows};
  const int64_t entries = csr.indptr[csr.num_rows];
  const double work = static_cast<double>(entries + csr.num_rows) * columns;
  threads = worth(0.1 * work, threads);
  const int64_t parts = threads > 1 ? 8 * threads : 1;
  parallel(threads, parts, [&](int64_t part) {
    const int64_t end = cut(stack, part + 1, parts);
    for (int64_t i = cut(stack, part, parts); i < end; ++i) {
      const int64_t at = csr.indptr[i], n = csr.indptr[i + 1] - at;
      const int32_t* ids = csr.indices + at;
      int64_t c = 0;
      for (; c + kTile <= columns; c += kTile)
        product_block<T, kTile / kWidth<T>>(x + c, columns, ids, weight + at, n,
                                            entries - at - 1, result + i * columns + c);
      for (; c + kWidth<T> <= columns; c += kWidth<T>)
        product_block<T, 1>(x + c, columns, ids, weight + at, n, entries - at - 1,
                            result + i * columns + c);
      for (; c < columns; ++c) {
        T sum = 0;
        for (int64_t j = 0; j < n; ++j)
          sum += weight[at + j] * x[ids[j] * columns + c];
        result[i * columns + c] = sum;
      }
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
