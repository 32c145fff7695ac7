// Small rows: a selection network of minima and maxima, one vector of signals at a time.
//
// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M), of which only the
// comparisons that lead to the middle output are kept. The list is made by the compiler
// for odd sizes. Any rank of a row becomes the middle one by padding with infinities:
// position r of n values is the middle of 2 max(r, n - 1 - r) + 1 values.
//
// Ties: a second pass takes the lowest id that equals the target. The value is right up
// to the sign of a zero. Rows must not be empty; lanes with NaN hold rubbish afterwards.
#pragma once

#include <utility>

#include "simd.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int kLargestNetwork = 49;

inline int64_t padded_size(int64_t n, int64_t position) {
  return 2 * most(position, n - 1 - position) + 1;
}

struct Exchange {
  uint8_t low, high;
  bool keep_low, keep_high;  // is the minimum, the maximum looked at later?
};

template <int Size>
struct Network {
  Exchange steps[Size * 12] = {};
  int count = 0;
};

template <int Size>
constexpr Network<Size> full_network() {
  Network<Size> net;
  int top = 1;
  while (2 * top < Size)
    top *= 2;
  for (int p = Size > 1 ? top : 0; p > 0; p /= 2) {
    for (int q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
      for (int i = 0; i + d < Size; ++i)
        if ((i & p) == r)
          net.steps[net.count++] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i + d),
                                    true, true};
      if (q == p)
        break;
    }
  }
  return net;
}

template <int Size>
constexpr Network<Size> middle_network() {
  const Network<Size> full = full_network<Size>();
  Network<Size> kept;
  bool needed[Size] = {};
  needed[Size / 2] = true;
  for (int i = full.count - 1; i >= 0; --i) {
    Exchange step = full.steps[i];
    step.keep_low = needed[step.low];
    step.keep_high = needed[step.high];
    if (!step.keep_low && !step.keep_high)
      continue;
    needed[step.low] = needed[step.high] = true;
    kept.steps[kept.count++] = step;
  }
  Network<Size> forward;
  for (int i = kept.count - 1; i >= 0; --i)
    forward.steps[forward.count++] = kept.steps[i];
  return forward;
}

template <int Size>
constexpr Network<Size> kNetwork = middle_network<Size>();

// Indices are template arguments so that the wires become registers at once.
template <int Low, int High, bool KeepLow, bool KeepHigh, typename V>
[[gnu::always_inline]] inline void exchange(V* v) {
  const V a = v[Low], b = v[High];
  if constexpr (KeepLow)
    v[Low] = smaller(a, b);
  if constexpr (KeepHigh)
    v[High] = larger(a, b);
}

template <typename T, int Size, size_t... Step, size_t... Slot>
[[gnu::always_inline]] inline Vec<T> middle(const T* const* at, int64_t f,
                                            std::index_sequence<Step...>,
                                            std::index_sequence<Slot...>) {
  Vec<T> v[Size] = {load(at[Slot] + f)...};
  constexpr const Network<Size>& net = kNetwork<Size>;
  (exchange<net.steps[Step].low, net.steps[Step].high, net.steps[Step].keep_low,
            net.steps[Step].keep_high>(v),
   ...);
  return v[Size / 2];
}

// The lowest id whose value equals the target, lane by lane.
template <typename T>
[[gnu::always_inline]] inline IntVec<T> first_equal(const T* const* at, int64_t f,
                                                    const int32_t* ids, int64_t n,
                                                    Vec<T> target) {
  using Int = typename Lane<T>::Int;
  IntVec<T> node = fill<Int>(ids[0]);
  for (int64_t j = n - 1; j >= 0; --j)
    node = load(at[j] + f) == target ? fill<Int>(ids[j]) : node;
  return node;
}

// at[0 .. n-1] point at the rows of x, at[n .. Size-1] at rows of infinities.
template <typename T, int Size>
void network_row(const T* const* at, const int32_t* ids, int64_t n, int64_t features,
                 T* value, int32_t* node) {
  for (int64_t f = 0; f < features; f += kWidth<T>) {
    const int64_t g = least<int64_t>(f, features - kWidth<T>);
    const Vec<T> target =
        middle<T, Size>(at, g, std::make_index_sequence<kNetwork<Size>.count>{},
                        std::make_index_sequence<Size>{});
    store(value + g, target);
    if (node)
      store_ids(node + g, first_equal(at, g, ids, n, target));
  }
}

template <typename T>
using NetworkRow = void (*)(const T* const*, const int32_t*, int64_t, int64_t, T*,
                            int32_t*);

template <typename T>
struct NetworkTable {
  NetworkRow<T> rows[kLargestNetwork / 2 + 1];
};

template <typename T, size_t... Half>
constexpr NetworkTable<T> network_table(std::index_sequence<Half...>) {
  return {{&network_row<T, 2 * Half + 1>...}};
}

template <typename T>
constexpr NetworkTable<T> kNetworkRows =
    network_table<T>(std::make_index_sequence<kLargestNetwork / 2 + 1>{});

// Node -> row of x; `infinities` holds 2 x features: first -inf, then +inf. `node` may
// be null. Needs padded_size(n, position) <= kLargestNetwork.
template <typename T>
inline void select_by_network(const T* x, int64_t stride, const int32_t* ids, int64_t n,
                              int64_t position, int64_t features, const T* infinities,
                              T* value, int32_t* node) {
  const T* at[kLargestNetwork];
  const int64_t size = padded_size(n, position);
  for (int64_t j = 0; j < n; ++j)
    at[j] = x + ids[j] * stride;
  const int64_t low = size / 2 - position;
  for (int64_t j = n; j < size; ++j)
    at[j] = infinities + (j - n < low ? 0 : features);
  kNetworkRows<T>.rows[size / 2](at, ids, n, features, value, node);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
