// All taps of a filter in one call: powers of S, and Horner's rule.
//
// powers: y_k = S^k x. horner: u = t_0 + S (t_1 + S (t_2 + ...)). With S transposed each
// is the gradient of the other. Signals become columns of one matrix, a few batch
// elements at a time, so that they stay in the cache from the first tap to the last.
#pragma once

#include "product.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int64_t kNear = int64_t(1) << 17;  // bytes of columns that stay in the cache

// One tap of some batch elements of signals (batch, nodes, taps, features).
template <typename T>
struct Tap {
  T* data;
  int64_t nodes, features;
  int64_t batch_step, node_step;
};

template <typename T>
Tap<T> tap(T* signals, Shape shape, int64_t taps, int64_t first, int64_t k) {
  const int64_t node_step = taps * shape.features, batch_step = shape.nodes * node_step;
  T* const data = signals + first * batch_step + k * shape.features;
  return {data, shape.nodes, shape.features, batch_step, node_step};
}

// Run `body(value of the tap, value of the columns)` for all values of `count` batch
// elements; columns: (nodes, count * features).
template <typename S, typename T, typename F>
void for_values(Tap<S> tap, int64_t count, T* columns, int threads, F&& body) {
  const int64_t parts = threads > 1 ? 8 * threads : 1, row = count * tap.features;
  parallel(threads, parts, [&](int64_t part) {
    const int64_t begin = tap.nodes * part / parts;
    const int64_t end = tap.nodes * (part + 1) / parts;
    for (int64_t b = 0; b < count; ++b) {
      S* const outer = tap.data + b * tap.batch_step;
      T* const inner = columns + b * tap.features;
      if (tap.features < kWidth<T>) {  // the longer loop is the inner one
        for (int64_t f = 0; f < tap.features; ++f)
          for (int64_t i = begin; i < end; ++i)
            body(outer[i * tap.node_step + f], inner[i * row + f]);
      } else {
        for (int64_t i = begin; i < end; ++i)
#pragma GCC ivdep
          for (int64_t f = 0; f < tap.features; ++f)
            body(outer[i * tap.node_step + f], inner[i * row + f]);
      }
    }
  });
}

// Run `body(first, count, threads, now, next)` for batch elements that are handled
// together, with room for their columns twice.
template <typename T, typename F>
void by_block(Shape shape, Csr csr, int64_t taps, int threads, F&& body) {
  const int64_t size = shape.nodes * shape.features;
  if (size == 0 || shape.batch == 0)
    return;
  const int64_t tile = (kTile + shape.features - 1) / shape.features;
  const int64_t near = kNear / (size * int64_t(sizeof(T)));
  const int64_t block = least(most(tile, near), shape.batch);
  const int64_t blocks = (shape.batch + block - 1) / block;
  const double entries = static_cast<double>(csr.indptr[csr.num_rows] + csr.num_rows);
  const double work = entries * shape.batch * shape.features * taps;
  const Split by = split(blocks, worth(0.1 * work, threads));
  parallel(by.outer, blocks, [&](int64_t part) {
    const int64_t first = part * block, count = least(block, shape.batch - first);
    Buffer<T> columns(2 * count * size);
    body(first, count, by.inner, columns.data(), columns.data() + count * size);
  });
}

// x: (batch, nodes, features), result: (batch, nodes, taps, features).
template <typename T>
void powers(const T* x, Shape shape, Csr csr, const T* weight, int64_t taps, int threads,
            T* result) {
  by_block<T>(shape, csr, taps, threads, [&](int64_t first, int64_t count, int inner,
                                             T* now, T* next) {
    for_values(tap(x, shape, 1, first, 0), count, now, inner,
               [](const T& from, T& to) { to = from; });
    for (int64_t k = 0; k < taps; ++k) {
      for_values(tap(result, shape, taps, first, k), count, now, inner,
                 [](T& to, const T& from) { to = from; });
      if (k + 1 < taps)
        product(now, shape.nodes, count * shape.features, csr, weight, inner, next);
      T* const done = now;
      now = next;
      next = done;
    }
  });
}

// terms: (batch, nodes, taps, features), result: (batch, nodes, features).
template <typename T>
void horner(const T* terms, Shape shape, Csr csr, const T* weight, int64_t taps,
            int threads, T* result) {
  by_block<T>(shape, csr, taps, threads, [&](int64_t first, int64_t count, int inner,
                                             T* now, T* next) {
    for_values(tap(terms, shape, taps, first, taps - 1), count, now, inner,
               [](const T& from, T& to) { to = from; });
    for (int64_t k = taps - 2; k >= 0; --k) {
      product(now, shape.nodes, count * shape.features, csr, weight, inner, next);
      for_values(tap(terms, shape, taps, first, k), count, next, inner,
                 [](const T& from, T& to) { to += from; });
      T* const done = now;
      now = next;
      next = done;
    }
    for_values(tap(result, shape, 1, first, 0), count, now, inner,
               [](T& to, const T& from) { to = from; });
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
