// Hubs: byte codes of the row itself, by an affine map clamped to where the rank can be.
//
// The value at position r of n values lies within
//   [mean - std sqrt((n - 1 - r) / (r + 1)), mean + std sqrt(r / (n - r))],
// for a median within mean +- std. The interval decides only how many values share the
// final code, not what is selected; where it is not finite, all of them do.
#pragma once

#include "candidates.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

template <typename T>
struct CodeScratch {
  Buffer<Codes> codes;
  Candidates candidates;
  Buffer<T> values;
};

template <typename T>
struct Affine {
  T low[kTile], high[kTile], scale[kTile];
};

template <typename T>
inline T root(T value) {
  return static_cast<T>(__builtin_sqrt(static_cast<double>(value)));
}

template <typename T>
inline void bound_rank(const T* sum, const T* squares, int64_t n, int64_t position,
                       int lanes, Affine<T>* map) {
  const T count = static_cast<T>(n), r = static_cast<T>(position);
  const T down = root((count - 1 - r) / (r + 1)), up = root(r / (count - r));
  for (int l = 0; l < lanes; ++l) {
    const T mean = sum[l] / count;
    const T variance = most<T>(squares[l] / count - mean * mean, 0);
    const T slack = (mean < 0 ? -mean : mean) * T(1e-3);
    const T deviation = root(variance) * T(1.001) + slack;
    const T low = mean - deviation * down, high = mean + deviation * up;
    const T scale = T(255.9) / (high - low);
    const bool finite = low - low == 0 && high - high == 0 && scale - scale == 0;
    map->low[l] = finite ? low : 0;
    map->high[l] = finite ? high : 0;
    map->scale[l] = finite ? scale : 0;
  }
}

// `Vectors` vectors of signals that start at x.
template <typename T, int Vectors>
void encode(const T* x, int64_t stride, const int32_t* ids, int64_t n, int64_t position,
            Codes* codes) {
  constexpr int lanes = Vectors * kWidth<T>;
  Vec<T> sum[Vectors] = {}, squares[Vectors] = {};
  for (int64_t j = 0; j < n; ++j) {
    __builtin_prefetch(x + ids[least(j + 8, n - 1)] * stride);
    for (int v = 0; v < Vectors; ++v) {
      const Vec<T> value = load(x + ids[j] * stride + v * kWidth<T>);
      sum[v] += value;
      squares[v] += value * value;
    }
  }
  T sums[lanes], squared[lanes];
  memcpy(sums, sum, sizeof sums);
  memcpy(squared, squares, sizeof squared);
  Affine<T> map;
  bound_rank(sums, squared, n, position, lanes, &map);
  for (int64_t j = 0; j < n; ++j) {
    alignas(64) int32_t wide[lanes];
    for (int v = 0; v < Vectors; ++v) {
      const int at = v * kWidth<T>;
      Vec<T> value = load(x + ids[j] * stride + at);
      const Vec<T> low = load(map.low + at), high = load(map.high + at);
      value = value > low ? value : low;  // NaN becomes the bound
      value = value < high ? value : high;
      const Vec<T> scaled = (value - low) * load(map.scale + at);
      store_ids(wide + at, __builtin_convertvector(scaled, IntVec<T>));
    }
    int8_t* code = reinterpret_cast<int8_t*>(codes + j);
    for (int l = 0; l < lanes; ++l)
      code[l] = static_cast<int8_t>(wide[l] - 128);
  }
}

template <typename T, int Vectors>
void select_tile_by_codes(const T* x, int64_t stride, const int32_t* ids, int64_t n,
                          int64_t position, CodeScratch<T>* scratch, T* value,
                          int32_t* node) {
  constexpr int lanes = Vectors * kWidth<T>;
  Found found;
  encode<T, Vectors>(x, stride, ids, n, position, scratch->codes.data());
  bisect(scratch->codes.data(), n, position, 8, &found);
  collect(scratch->codes.data(), n, found, lanes, &scratch->candidates);
  settle(x, stride, ids, position, found, lanes, &scratch->candidates, &scratch->values,
         value, node);
}

template <typename T>
void select_by_codes(const T* x, int64_t stride, const int32_t* ids, int64_t n,
                     int64_t position, int64_t features, CodeScratch<T>* scratch,
                     T* value, int32_t* node) {
  scratch->codes.reserve(n);
  const bool wide = features >= kTile;
  const int lanes = wide ? kTile : kWidth<T>;
  if (!wide)  // the lanes that stay unused are compared all the same
    memset(static_cast<void*>(scratch->codes.data()), 0, n * sizeof(Codes));
  for (int64_t f = 0; f < features; f += lanes) {
    const int64_t g = least<int64_t>(f, features - lanes);
    if (wide)
      select_tile_by_codes<T, kTile / kWidth<T>>(x + g, stride, ids, n, position, scratch,
                                                 value + g, node + g);
    else
      select_tile_by_codes<T, 1>(x + g, stride, ids, n, position, scratch, value + g,
                                 node + g);
  }
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
