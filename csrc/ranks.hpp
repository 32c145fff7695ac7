// Byte codes of all nodes, made once and shared by every row of every hop.
//
// The rank of a node is the number of nodes with a smaller value: equal ranks are equal
// values. Up to 256 nodes it is found by counting and fits a byte. Up to 32,768 nodes it
// is found by sorting and kept as two bytes, which are searched one after the other.
// Beyond, only the high byte of the scaled rank is kept, and the values that share it are
// looked at (candidates.hpp). The time does not depend on how the values are distributed.
#pragma once

#include "codes.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int64_t kCountedNodes = 256;
constexpr int64_t kExactNodes = 32768;

// Codes of all nodes, one tile of signals.
struct RankTable {
  Buffer<Codes> high, low;  // low: only where a rank has two bytes
  int64_t num_nodes;
  int low_bits;
  explicit RankTable(int64_t nodes)
      : high(nodes),
        low(nodes > kCountedNodes && nodes <= kExactNodes ? nodes : 0),
        num_nodes(nodes),
        low_bits(0) {
    while (nodes > kCountedNodes << low_bits)
      ++low_bits;
  }
  bool exact() const { return num_nodes <= kExactNodes; }
};

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
void rank_by_sorting(const T* x, int64_t stride, int lane, Keyed<T>* scratch,
                     RankTable* table) {
  const int64_t n = table->num_nodes;
  for (int64_t i = 0; i < n; ++i)
    scratch[i] = {ordered_bits(x[i * stride]), static_cast<int32_t>(i)};
  const Keyed<T>* sorted = radix_sort(scratch, scratch + n, n);
  int8_t* high = reinterpret_cast<int8_t*>(table->high.data()) + lane;
  int8_t* low = reinterpret_cast<int8_t*>(table->low.data()) + lane;
  const int bits = table->low_bits;
  int64_t rank = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (i > 0 && sorted[i].key != sorted[i - 1].key)
      rank = i;
    const int64_t at = int64_t(sorted[i].node) * kTile;
    high[at] = static_cast<int8_t>((rank >> bits) - 128);
    if (table->exact())
      low[at] = static_cast<int8_t>((rank & ((1 << bits) - 1)) - 128);
  }
}

// Codes of the tile of `lanes` signals that starts at x.
template <typename T>
void rank_tile(const T* x, int64_t stride, int lanes, int threads, RankTable* table) {
  const int64_t n = table->num_nodes;
  if (n <= kCountedNodes)
    return rank_by_counting(x, stride, n, lanes, table->high.data());
  if (lanes < kTile) {  // the lanes that stay unused are compared all the same
    memset(static_cast<void*>(table->high.data()), 0, n * sizeof(Codes));
    if (table->exact())
      memset(static_cast<void*>(table->low.data()), 0, n * sizeof(Codes));
  }
  const int64_t groups = threads > 1 ? lanes : 1;
  parallel(threads, groups, [&](int64_t group) {
    Buffer<Keyed<T>> scratch(2 * n);
    const int end = static_cast<int>(lanes * (group + 1) / groups);
    for (int lane = static_cast<int>(lanes * group / groups); lane < end; ++lane)
      rank_by_sorting(x + lane, stride, lane, scratch.data(), table);
  });
}

// The second byte: codes whose first byte is not the found one are moved out of the way.
inline void descend(const RankTable& table, const int32_t* ids, int64_t n,
                    const int32_t* positions, Codes* codes, Found* found) {
  Bytes high[kParts];
  memcpy(high, found->code, sizeof high);
  for (int64_t j = 0; j < n; ++j) {
    const Codes low = table.low.data()[ids[j]];
    for (int part = 0; part < kParts; ++part)
      codes[j].part[part] =
          codes[j].part[part] == high[part] ? low.part[part] : fill<int8_t>(127);
  }
  int32_t left[kTile];
  for (int l = 0; l < kTile; ++l)
    left[l] = positions[l] - found->below[l];
  bisect(codes, n, left, table.low_bits, found);
}

// One row of at most 255 nodes whose ranks fit a byte: equal codes are equal values.
template <typename T>
void select_by_bytes(const T* x, int64_t stride, const int32_t* ids, int64_t n,
                     int64_t position, int lanes, int bits, const Codes* codes, T* value,
                     int32_t* node) {
  Codes found;
  uint8_t slots[kTile];
  bisect_code(codes, n, position, bits, &found);
  first_slots_short(codes, n, found, slots);
  for (int l = 0; l < lanes; ++l) {
    node[l] = ids[slots[l]];
    value[l] = x[node[l] * stride + l];
  }
}

// One row of a tile.
template <typename T>
void select_by_ranks(const T* x, int64_t stride, const int32_t* ids, int64_t n,
                     int64_t position, int lanes, const RankTable& table,
                     CodeScratch<T>* scratch, T* value, int32_t* node) {
  scratch->codes.reserve(n);
  Codes* codes = scratch->codes.data();
  for (int64_t j = 0; j < n; ++j)
    codes[j] = table.high.data()[ids[j]];
  const int bits = code_bits(table.num_nodes);
  if (table.num_nodes <= kCountedNodes && n <= 255)
    return select_by_bytes(x, stride, ids, n, position, lanes, bits, codes, value, node);
  Found found;
  bisect(codes, n, position, bits, &found);
  if (!table.exact()) {
    collect(codes, n, found, lanes, &scratch->candidates);
    return settle(x, stride, ids, position, found, lanes, &scratch->candidates,
                  &scratch->values, value, node);
  }
  int32_t positions[kTile], slots[kTile] = {};
  for (int l = 0; l < kTile; ++l)
    positions[l] = static_cast<int32_t>(position);
  if (table.low_bits > 0)
    descend(table, ids, n, positions, codes, &found);
  first_slots(codes, n, found.code, slots);
  for (int l = 0; l < lanes; ++l) {
    node[l] = ids[slots[l]];
    value[l] = x[node[l] * stride + l];
  }
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
