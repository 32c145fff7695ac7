// CSR matrix times dense matrix, sums in the order of the row for any thread count.
#pragma once

#include <utility>

#include "plan.hpp"
#include "rows.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int kVectors = 8;                  // of sums at a time
constexpr int64_t kFar = int64_t(1) << 22;  // bytes of x worth fetching ahead

// The last of the vectors begins at column `last`, the others follow each other from 0.
template <typename T, int Vectors, bool Far>
[[gnu::always_inline]] inline void product_block(const T* x, int64_t columns,
                                                 const int32_t* ids, const T* weight,
                                                 int64_t n, int64_t ahead, int64_t last,
                                                 T* result) {
  Vec<T> sum[Vectors] = {};
  for (int64_t j = 0; j < n; ++j) {
    const T* from = x + ids[j] * columns;
    if constexpr (Far) {
      const T* later = x + ids[least(j + 6, ahead)] * columns;
      for (int v = 0; v < Vectors; v += 64 / VICINAL_VECTOR_BYTES)
        __builtin_prefetch(later + v * kWidth<T>);
    }
    for (int v = 0; v < Vectors; ++v)
      sum[v] += weight[j] * load(from + (v + 1 < Vectors ? v * kWidth<T> : last));
  }
  for (int v = 0; v < Vectors; ++v)
    store(result + (v + 1 < Vectors ? v * kWidth<T> : last), sum[v]);
}

// Fewer columns than a tile, which may lap over those before: one pass over the row.
template <typename T, int Vectors, bool Far>
void product_rest(const T* x, int64_t columns, int64_t rest, const int32_t* ids,
                  const T* weight, int64_t n, int64_t ahead, T* result) {
  if constexpr (Vectors > 1)
    if (rest <= (Vectors - 1) * kWidth<T>)
      return product_rest<T, Vectors - 1, Far>(x, columns, rest, ids, weight, n, ahead,
                                               result);
  product_block<T, Vectors, Far>(x, columns, ids, weight, n, ahead, rest - kWidth<T>,
                                 result);
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

template <typename T, bool Far>
void product_row(const T* x, int64_t columns, const int32_t* ids, const T* weight,
                 int64_t n, int64_t ahead, T* result) {
  constexpr int tile = kVectors * kWidth<T>;
  if (columns < kWidth<T>)
    return product_narrow(x, columns, ids, weight, n, result,
                          std::make_index_sequence<kWidth<T> - 1>{});
  int64_t c = 0;
  for (; c + tile <= columns; c += tile)
    product_block<T, kVectors, Far>(x + c, columns, ids, weight, n, ahead,
                                    tile - kWidth<T>, result + c);
  if (c < columns)
    product_rest<T, kVectors, Far>(x + c, columns, columns - c, ids, weight, n, ahead,
                                   result + c);
}

// x: (num_columns, columns), result: (num_rows, columns); sums in the order of the row.
template <typename T>
void product(const T* x, int64_t num_columns, int64_t columns, Csr csr, const T* weight,
             int threads, T* result) {
  if (columns == 0)
    return;
  const Stack stack{csr, 1, csr.num_rows};
  const int64_t entries = csr.indptr[csr.num_rows];
  const double work = static_cast<double>(entries + csr.num_rows) * columns;
  threads = worth(0.1 * work, threads);
  const int64_t parts = threads > 1 ? 8 * threads : 1;
  const bool far = num_columns * columns * int64_t(sizeof(T)) > kFar;
  const auto row = far ? &product_row<T, true> : &product_row<T, false>;
  parallel(threads, parts, [&](int64_t part) {
    const int64_t end = cut(stack, part + 1, parts);
    for (int64_t i = cut(stack, part, parts); i < end; ++i) {
      const int64_t at = csr.indptr[i];
      row(x, columns, csr.indices + at, weight + at, csr.indptr[i + 1] - at,
          entries - at - 1, result + i * columns);
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
