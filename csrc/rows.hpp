// What every selection shares: special values, cuts of the work, and writing results.
#pragma once

#include "simd.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

// Values that need care: kernels skip it where a signal holds none of them.
struct Special {
  bool nan = false;
  bool negative_zero = false;
};

template <typename T>
Special scan(const T* x, int64_t size) {
  using Int = typename Lane<T>::Int;
  constexpr int shift = sizeof(T) * 8 - 1;
  const Int infinity = static_cast<Int>(bits_of(static_cast<T>(__builtin_inf())));
  const Int largest = ~(Int(1) << shift), zero = Int(1) << shift;
  IntVec<T> nan{}, negative_zero{};
  int64_t i = 0;
  for (; i + kWidth<T> <= size; i += kWidth<T>) {
    IntVec<T> bits;
    memcpy(&bits, x + i, sizeof bits);
    nan |= (bits & largest) > infinity;
    negative_zero |= bits == zero;
  }
  Special special;
  for (int l = 0; l < kWidth<T>; ++l) {
    special.nan |= nan[l] != 0;
    special.negative_zero |= negative_zero[l] != 0;
  }
  for (; i < size; ++i) {
    special.nan |= x[i] != x[i];
    special.negative_zero |= bits_of(x[i]) == bits_of(T(-0.0));
  }
  return special;
}

template <typename T>
Special scan(const T* x, int64_t size, int threads) {
  constexpr int64_t pieces = 16;
  if (threads == 1)
    return scan(x, size);
  Special parts[pieces], all;
  parallel(threads, pieces, [&](int64_t piece) {
    const int64_t begin = size * piece / pieces, end = size * (piece + 1) / pieces;
    parts[piece] = scan(x + begin, end - begin);
  });
  for (const Special& part : parts) {
    all.nan |= part.nan;
    all.negative_zero |= part.negative_zero;
  }
  return all;
}

// A stack of hops x per_hop rows.
struct Stack {
  Csr csr;
  int64_t hops, per_hop;
};

// Neighbours (and rows) of nodes 0 .. i - 1 over all hops.
inline int64_t load_before(const Stack& stack, int64_t i) {
  int64_t total = i * stack.hops;
  for (int64_t k = 0; k < stack.hops; ++k)
    total += stack.csr.indptr[k * stack.per_hop + i] - stack.csr.indptr[k * stack.per_hop];
  return total;
}

// First node of part `part` of `parts` parts with equal numbers of neighbours.
inline int64_t cut(const Stack& stack, int64_t part, int64_t parts) {
  const double share = static_cast<double>(part) / static_cast<double>(parts);
  const double goal = share * static_cast<double>(load_before(stack, stack.per_hop));
  int64_t low = 0, high = stack.per_hop;
  if (part == parts)
    return high;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (static_cast<double>(load_before(stack, middle)) < goal)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// How the batch and the nodes are shared out: few batch elements are cut by nodes.
struct Split {
  int outer, inner;  // threads over batch elements, threads within one
  int64_t parts;     // of the nodes of a batch element
};

inline Split split(int64_t batch, int threads) {
  if (threads <= 1)
    return {1, 1, 1};
  if (batch >= 4 * threads)
    return {threads, 1, 1};
  return {1, threads, int64_t(8) * threads};
}

// Weights with one column per feature, whatever the caller has.
template <typename T>
void spread_weight(const Output<T>& out, int64_t hops, int64_t features, Buffer<T>* wide) {
  if (!out.combined)
    return;
  wide->reserve((hops + 1) * features);
  for (int64_t k = 0; k <= hops; ++k)
    for (int64_t f = 0; f < features; ++f)
      (*wide)[k * features + f] = out.weight[out.per_feature ? k * features + f : k];
}

template <typename T>
void combine_own(const T* x, const T* weight, int64_t rows, int64_t features, T* combined) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t f = 0; f < features; ++f)
      combined[i * features + f] = weight[f] * x[i * features + f];
}

template <typename T>
[[gnu::always_inline]] inline void copy_lanes(T* to, const T* from, int lanes) {
  int l = 0;
  for (; l + kWidth<T> <= lanes; l += kWidth<T>)
    store(to + l, load(from + l));
  for (; l < lanes; ++l)
    to[l] = from[l];
}

// z = w_0 x + w_1 value at the first hop, z += w_k value at the others.
template <typename T>
[[gnu::always_inline]] inline void add_hop(T* z, const T* x, const T* first_weight,
                                           const T* weight, const T* value, bool first,
                                           int lanes) {
  int l = 0;
  for (; l + kWidth<T> <= lanes; l += kWidth<T>) {
    const Vec<T> sum = first ? load(first_weight + l) * load(x + l) : load(z + l);
    store(z + l, sum + load(weight + l) * load(value + l));
  }
  for (; l < lanes; ++l)
    z[l] = (first ? first_weight[l] * x[l] : z[l]) + weight[l] * value[l];
}

// Write `lanes` results of hop k (from 0), node i, batch element b, from feature f on.
// Hops of one node must come in order: the first one starts its sum.
template <typename T>
[[gnu::always_inline]] inline void write_row(const Output<T>& out, const T* weight,
                                             const Stack& stack, const T* x,
                                             int64_t features, int64_t b, int64_t k,
                                             int64_t i, int64_t f, int lanes,
                                             const T* value, const int32_t* node) {
  const int64_t row = (b * stack.hops + k) * stack.per_hop + i;
  if (out.values)
    copy_lanes(out.values + row * features + f, value, lanes);
  if (out.nodes)
    copy_lanes(out.nodes + row * features + f, node, lanes);
  if (out.combined)
    add_hop(out.combined + (b * stack.per_hop + i) * features + f, x + i * features + f,
            weight + f, weight + (k + 1) * features + f, value, k == 0, lanes);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
