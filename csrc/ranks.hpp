// Byte codes of all nodes, made once and shared by every row of every hop.
//
// Up to 256 nodes a code is the number of nodes with a smaller value, found by counting:
// equal codes are equal values. Beyond, the values are sorted by radix and cut into 256
// classes of about equal size; tied values always share a class. Both depend on the
// order of the values alone, so the time does not depend on their distribution.
#pragma once

#include "codes.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int64_t kCountedNodes = 256;

inline int code_bits(int64_t num_nodes) {
  int bits = 1;
  while (bits < 8 && (int64_t(1) << bits) < num_nodes)
    ++bits;
  return bits;
}

// For nodes i .. i + Nodes - 1 the number of smaller values, one vector of signals.
template <typename T, int Nodes>
[[gnu::always_inline]] inline void count_smaller(const T* x, int64_t stride,
                                                 int64_t num_nodes, int64_t i,
                                                 int32_t (*counts)[kTile]) {
  Vec<T> own[Nodes];
  IntVec<T> count[Nodes] = {};
  for (int a = 0; a < Nodes; ++a)
    own[a] = load(x + (i + a) * stride);
  for (int64_t j = 0; j < num_nodes; ++j) {
    const Vec<T> other = load(x + j * stride);
    for (int a = 0; a < Nodes; ++a)
      count[a] -= IntVec<T>(other < own[a]);
  }
  for (int a = 0; a < Nodes; ++a)
    store_ids(counts[a], count[a]);
}

template <typename T, int Nodes>
inline void rank_nodes(const T* x, int64_t stride, int64_t num_nodes, int64_t i,
                       int lanes, Codes* codes) {
  alignas(64) int32_t counts[Nodes][kTile] = {};
  for (int f = 0; f < lanes; f += kWidth<T>) {
    const int g = least<int>(f, lanes - kWidth<T>);
    count_smaller<T, Nodes>(x + g, stride, num_nodes, i,
                            reinterpret_cast<int32_t(*)[kTile]>(&counts[0][g]));
  }
  for (int a = 0; a < Nodes; ++a) {
    int8_t* code = reinterpret_cast<int8_t*>(codes + i + a);
    for (int l = 0; l < kTile; ++l)
      code[l] = static_cast<int8_t>(counts[a][l] - 128);
  }
}

template <typename T>
void rank_by_counting(const T* x, int64_t stride, int64_t num_nodes, int lanes,
                      Codes* codes) {
  int64_t i = 0;
  for (; i + 4 <= num_nodes; i += 4)
    rank_nodes<T, 4>(x, stride, num_nodes, i, lanes, codes);
  for (; i < num_nodes; ++i)
    rank_nodes<T, 1>(x, stride, num_nodes, i, lanes, codes);
}

template <typename T>
struct Keyed {
  typename Lane<T>::Bits key;
  int32_t node;
};

// Unsigned integers in the order of the values; -0.0 and +0.0 share one.
template <typename T>
inline typename Lane<T>::Bits ordered_bits(T value) {
  using Bits = typename Lane<T>::Bits;
  const Bits bits = bits_of(value + T(0)), sign = Bits(1) << (sizeof(T) * 8 - 1);
  return bits & sign ? ~bits : bits | sign;
}

// Sort by key, least significant digit first; stable. Returns where the result is.
template <typename T>
Keyed<T>* radix_sort(Keyed<T>* from, Keyed<T>* to, int64_t n) {
  constexpr int digit = 11, digits = (sizeof(T) * 8 + digit - 1) / digit;
  constexpr int64_t buckets = int64_t(1) << digit;
  Buffer<int32_t> starts(digits * buckets);
  memset(starts.data(), 0, digits * buckets * sizeof(int32_t));
  for (int64_t i = 0; i < n; ++i)
    for (int d = 0; d < digits; ++d)
      ++starts[d * buckets + ((from[i].key >> (d * digit)) & (buckets - 1))];
  for (int d = 0; d < digits; ++d) {
    int32_t* start = starts.data() + d * buckets;
    if (start[(from[0].key >> (d * digit)) & (buckets - 1)] == n)
      continue;  // one value only
    int32_t total = 0;
    for (int64_t b = 0; b < buckets; ++b) {
      const int32_t size = start[b];
      start[b] = total;
      total += size;
    }
    for (int64_t i = 0; i < n; ++i)
      to[start[(from[i].key >> (d * digit)) & (buckets - 1)]++] = from[i];
    Keyed<T>* const swapped = from;
    from = to;
    to = swapped;
  }
  return from;
}

// Codes of one signal (`lane` of the tile) by its sorted order.
template <typename T>
void rank_by_sorting(const T* x, int64_t stride, int64_t num_nodes, int lane,
                     Keyed<T>* scratch, Codes* codes) {
  for (int64_t i = 0; i < num_nodes; ++i)
    scratch[i] = {ordered_bits(x[i * stride]), static_cast<int32_t>(i)};
  const Keyed<T>* sorted = radix_sort(scratch, scratch + num_nodes, num_nodes);
  int8_t* out = reinterpret_cast<int8_t*>(codes) + lane;
  int code = 0, of_class = 0;
  for (int64_t i = 0; i < num_nodes; ++i) {
    while ((code + 1) * num_nodes <= i * 256)
      ++code;
    if (i == 0 || sorted[i].key != sorted[i - 1].key)
      of_class = code;
    out[sorted[i].node * kTile] = static_cast<int8_t>(of_class - 128);
  }
}

// Codes of the tile of `lanes` signals that starts at x.
template <typename T>
void rank_tile(const T* x, int64_t stride, int64_t num_nodes, int lanes, int threads,
               Codes* codes) {
  if (num_nodes <= kCountedNodes)
    return rank_by_counting(x, stride, num_nodes, lanes, codes);
  if (lanes < kTile)
    memset(static_cast<void*>(codes), 0, num_nodes * sizeof(Codes));
  parallel(threads, lanes, [&](int64_t lane) {
    Buffer<Keyed<T>> scratch(2 * num_nodes);
    rank_by_sorting(x + lane, stride, num_nodes, static_cast<int>(lane), scratch.data(),
                    codes);
  });
}

// Codes are exact ranks: the first slot of the row with the found code is the answer.
inline void first_slots(const Codes* codes, int64_t n, const int8_t* found,
                        uint8_t* slots) {
  for (int part = 0; part < kParts; ++part) {
    const Bytes code = load(found + part * VICINAL_VECTOR_BYTES);
    Counts slot{};
    for (int64_t j = n - 1; j >= 0; --j)
      slot = codes[j].part[part] == code ? fill<uint8_t>(static_cast<uint8_t>(j)) : slot;
    memcpy(slots + part * VICINAL_VECTOR_BYTES, &slot, sizeof slot);
  }
}

// One row of a tile; `table` holds the codes of all nodes.
template <typename T>
void select_by_ranks(const T* x, int64_t stride, int64_t num_nodes, const int32_t* ids,
                     int64_t n, int64_t position, int lanes, const Codes* table,
                     CodeScratch<T>* scratch, T* value, int32_t* node) {
  scratch->codes.reserve(n);
  Codes* codes = scratch->codes.data();
  for (int64_t j = 0; j < n; ++j)
    codes[j] = table[ids[j]];
  Found found;
  bisect(codes, n, position, code_bits(num_nodes), &found);
  if (num_nodes <= kCountedNodes && n <= 255) {
    uint8_t slots[kTile];
    first_slots(codes, n, found.code, slots);
    for (int l = 0; l < lanes; ++l) {
      node[l] = ids[slots[l]];
      value[l] = x[node[l] * stride + l];
    }
    return;
  }
  collect(codes, n, found, lanes, &scratch->candidates);
  settle(x, stride, ids, position, found, lanes, &scratch->candidates, &scratch->values,
         value, node);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
