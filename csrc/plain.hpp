// One row, one signal, by the definition: the path for NaN and the last resort.
//
// The selected value is the one at position r(n) of the ascending sort of the n values
// of the row; the selected node is the lowest id that holds it (-0.0 equals +0.0), and
// the value written is that node's own. NaN: the first NaN node is selected, or, with
// skip_nan, NaN nodes are left out and n counts the rest. Nothing left: node -1, value 0.
#pragma once

#include "simd.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

inline int64_t position_of(Rank rank, int64_t count) {
  return (rank.numerator * (count - 1) + rank.offset) / rank.denominator;
}

// k-th smallest of n values (from 0); reorders them. Partitions into three, so that
// many equal values are fast, and stays in bounds whatever the comparisons say.
template <typename T>
T kth_smallest(T* v, int64_t n, int64_t k) {
  if (n <= 16) {
    for (int64_t i = 1; i < n; ++i) {
      const T value = v[i];
      int64_t j = i;
      for (; j > 0 && value < v[j - 1]; --j)
        v[j] = v[j - 1];
      v[j] = value;
    }
    return v[k];
  }
  uint64_t seed = 0x9E3779B97F4A7C15u;
  int64_t low = 0, high = n - 1;
  while (low < high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const T a = v[low + static_cast<int64_t>((seed >> 33) % (high - low + 1))];
    const T b = v[low + (high - low) / 2], c = v[high];
    const T pivot = most(least(a, b), least(most(a, b), c));
    int64_t less = low, more = high;
    for (int64_t i = low; i <= more;) {
      const T value = v[i];
      if (value < pivot) {
        v[i++] = v[less];
        v[less++] = value;
      } else if (value > pivot) {
        v[i] = v[more];
        v[more--] = value;
      } else {
        ++i;
      }
    }
    if (k < less)
      high = less - 1;
    else if (k > more)
      low = more + 1;
    else
      return v[k];
  }
  return v[k];
}

template <typename T>
struct Picked {
  T value;
  int32_t node;
};

// `x` points at the signal, node i at x[i * stride]; `scratch` holds n values.
template <typename T>
Picked<T> pick_plain(const T* x, int64_t stride, const int32_t* ids, int64_t n, Rank rank,
                     bool skip_nan, T* scratch) {
  int64_t kept = 0;
  for (int64_t j = 0; j < n; ++j) {
    const T value = x[ids[j] * stride];
    if (value == value)
      scratch[kept++] = value;
    else if (!skip_nan)
      return {value, ids[j]};
  }
  if (kept == 0)
    return {T(0), -1};
  const T target = kth_smallest(scratch, kept, position_of(rank, kept));
  int64_t j = 0;
  while (!(x[ids[j] * stride] == target))
    ++j;
  return {x[ids[j] * stride], ids[j]};
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
