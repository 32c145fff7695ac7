// Backward: gradients go to the selected nodes, in the order of the rows.
//
// A column, one feature of one batch element, belongs to one thread, which adds its rows
// 0, 1, 2, ... to zeros: the same bits as one sequential scatter, for any number of
// threads. Node -1 takes nothing. Columns are handled in blocks that stay in cache.
#pragma once

#include "plan.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int64_t kBlock = 16;  // features

// Blocks of columns as chunks of work: all features of a small signal, 16 of a large one.
struct Columns {
  int64_t width, per_element, chunks;
  int threads;
};

inline Columns columns_of(Shape shape, int64_t rows, int64_t value_bytes, int threads) {
  const double touched = static_cast<double>(shape.batch * rows * shape.features);
  threads = worth(2.5 * touched, threads);
  const bool small = shape.nodes * shape.features * value_bytes <= (1 << 18);
  int64_t width = small && shape.batch >= threads ? shape.features : kBlock;
  if (shape.batch * ((shape.features + width - 1) / width) < threads)
    width = kBlock / 2;
  const int64_t per_element = (shape.features + width - 1) / width;
  return {width, per_element, shape.batch * per_element, threads};
}

template <typename F>
void for_columns(const Columns& columns, Shape shape, F&& body) {
  parallel(columns.threads, columns.chunks, [&](int64_t chunk) {
    const int64_t b = chunk / columns.per_element;
    const int64_t f = chunk % columns.per_element * columns.width;
    body(b, f, least(columns.width, shape.features - f));
  });
}

// grad, nodes: (batch, rows, features); grad_x: (batch, nodes, features).
template <typename T>
void scatter(const T* grad, const int32_t* nodes, int64_t rows, Shape shape, int threads,
             T* grad_x) {
  const int64_t features = shape.features;
  if (shape.batch == 0 || features == 0)
    return;
  const Columns columns = columns_of(shape, rows + shape.nodes, sizeof(T), threads);
  for_columns(columns, shape, [&](int64_t b, int64_t f, int64_t width) {
    T* to = grad_x + b * shape.nodes * features + f;
    for (int64_t i = 0; i < shape.nodes; ++i)
      memset(to + i * features, 0, width * sizeof(T));
    for (int64_t m = 0; m < rows; ++m) {
      const int64_t at = (b * rows + m) * features + f;
      for (int64_t l = 0; l < width; ++l)
        if (const int64_t node = nodes[at + l]; node >= 0)
          to[node * features + l] += grad[at + l];
    }
  });
}

// values[b, m, f] = x[b, nodes[b, m, f], f], 0 where the node is -1.
template <typename T>
void gather(const T* x, const int32_t* nodes, int64_t rows, Shape shape, int threads,
            T* values) {
  const int64_t features = shape.features;
  if (shape.batch == 0 || features == 0)
    return;
  const Columns columns = columns_of(shape, rows, sizeof(T), threads);
  for_columns(columns, shape, [&](int64_t b, int64_t f, int64_t width) {
    const T* from = x + b * shape.nodes * features + f;
    for (int64_t m = 0; m < rows; ++m) {
      const int64_t at = (b * rows + m) * features + f;
      for (int64_t l = 0; l < width; ++l) {
        const int64_t node = nodes[at + l];
        values[at + l] = node >= 0 ? from[node * features + l] : T(0);
      }
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
