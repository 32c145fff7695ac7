// The maximum over 1, ..., hops steps along the rows, with the node it comes from.
//
// One hop is a gather and a maximum; hop k + 1 is the same over the results of hop k,
// which carry the id of the node they came from. Ties: the lowest original id, as over
// the stored ball. NaN is larger than everything (the lowest NaN id wins), or left out
// with skip_nan. Nothing reached: node -1, value 0; on the way it counts as -inf with an
// id above all others.
#pragma once

#include "pack.hpp"
#include "plan.hpp"
#include "rows.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr size_t kNearBytes = 1 << 18;  // of one batch element

// What one hop reads: values, and ids unless it is the first (node i is then its own).
template <typename T>
struct Carried {
  const T* value;  // node i at value + i * stride
  int64_t stride;
  const typename Lane<T>::Int* id;  // same stride; null at the first hop
};

// Far: the signals do not fit into the cache, so that later rows are asked for ahead.
template <typename T, int Vectors, bool First, bool Far>
[[gnu::always_inline]] inline void max_block(const Carried<T>& from, const int32_t* ids,
                                             int64_t n, int64_t ahead, T* value,
                                             typename Lane<T>::Int* id) {
  using Int = typename Lane<T>::Int;
  constexpr int width = kWidth<T>;
  Vec<T> best[Vectors];
  IntVec<T> node[Vectors];
  for (int v = 0; v < Vectors; ++v) {
    best[v] = load(from.value + ids[0] * from.stride + v * width);
    node[v] = First ? fill<Int>(ids[0]) : load(from.id + ids[0] * from.stride + v * width);
  }
  for (int64_t j = 1; j < n; ++j) {
    const int64_t at = ids[j] * from.stride;
    const int64_t later = Far ? ids[least(j + 6, ahead)] * from.stride : 0;
    for (int v = 0; Far && v < Vectors; v += 64 / VICINAL_VECTOR_BYTES) {
      __builtin_prefetch(from.value + later + v * width);
      if (!First)
        __builtin_prefetch(from.id + later + v * width);
    }
    for (int v = 0; v < Vectors; ++v) {
      const Vec<T> other = load(from.value + at + v * width);
      if (First) {
        node[v] = other > best[v] ? fill<Int>(ids[j]) : node[v];
        best[v] = other > best[v] ? other : best[v];
      } else {
        const IntVec<T> who = load(from.id + at + v * width);
        const IntVec<T> wins =
            (other > best[v]) | ((other == best[v]) & (who < node[v]));
        node[v] = wins ? who : node[v];
        best[v] = wins ? other : best[v];
      }
    }
  }
  for (int v = 0; v < Vectors; ++v) {
    store(value + v * width, best[v]);
    store(id + v * width, node[v]);
  }
}

template <typename T, bool First, bool Far>
void max_row(const Carried<T>& from, const int32_t* ids, int64_t n, int64_t ahead,
             int lanes, T* value, typename Lane<T>::Int* id) {
  int f = 0;
  const auto shifted = [&](int g) {
    return Carried<T>{from.value + g, from.stride, First ? nullptr : from.id + g};
  };
  for (; f + kTile <= lanes; f += kTile)
    max_block<T, kTile / kWidth<T>, First, Far>(shifted(f), ids, n, ahead, value + f,
                                                id + f);
  for (; f + 2 * kWidth<T> <= lanes; f += 2 * kWidth<T>)
    max_block<T, 2, First, Far>(shifted(f), ids, n, ahead, value + f, id + f);
  for (; f < lanes; f += kWidth<T>) {
    const int g = least(f, lanes - kWidth<T>);
    max_block<T, 1, First, Far>(shifted(g), ids, n, ahead, value + g, id + g);
  }
}

// The same for signals with NaN, by the definition; `x` gives the value of an id.
template <typename T>
void max_row_plain(const T* x, int64_t stride, const Carried<T>& from, bool skip_nan,
                   int64_t nobody, const int32_t* ids, int64_t n, int lanes, T* value,
                   typename Lane<T>::Int* id) {
  for (int l = 0; l < lanes; ++l) {
    int64_t best = nobody;
    for (int64_t j = 0; j < n; ++j) {
      const int64_t who = from.id ? from.id[ids[j] * from.stride + l] : ids[j];
      if (who == nobody)
        continue;
      const T other = x[who * stride + l];
      if (skip_nan && other != other)
        continue;
      const T own = best == nobody ? T(0) : x[best * stride + l];
      const bool tied = other == own || (other != other && own != own);
      const bool larger = other > own || (other != other && own == own);
      if (best == nobody || larger || (tied && who < best))
        best = who;
    }
    id[l] = static_cast<typename Lane<T>::Int>(best);
    value[l] = best == nobody ? static_cast<T>(-__builtin_inf()) : x[best * stride + l];
  }
}

// One call of `maxima` on one batch element and up to 64 of its features.
template <typename T>
struct Sweep {
  const T* x;  // first signal of the sweep
  Shape shape;
  Stack stack;  // of the one-hop rows
  int64_t b, f;
  int lanes;
  bool nan, skip_nan;
  bool gaps;  // some node may reach nothing
};

inline bool has_empty_row(Csr csr) {
  bool empty = false;
  for (int64_t i = 0; i < csr.num_rows; ++i)
    empty |= csr.indptr[i] == csr.indptr[i + 1];
  return empty;
}

template <typename T>
void max_nodes(const Sweep<T>& sweep, const Carried<T>& from, int64_t k, int64_t hops,
               const Output<T>& out, const T* weight, T* value,
               typename Lane<T>::Int* id, bool keep, int64_t begin, int64_t end) {
  const Csr& csr = sweep.stack.csr;
  const int64_t nobody = sweep.shape.nodes;
  const bool far = sweep.shape.nodes * sweep.shape.features * sizeof(T) > kNearBytes;
  const auto row = from.id ? (far ? &max_row<T, false, true> : &max_row<T, false, false>)
                           : (far ? &max_row<T, true, true> : &max_row<T, true, false>);
  Buffer<int32_t> nodes(sweep.lanes);
  Buffer<T> values(sweep.lanes);
  const Stack all{csr, hops, sweep.shape.nodes};
  for (int64_t i = begin; i < end; ++i) {
    const int32_t* ids = csr.indices + csr.indptr[i];
    const int64_t n = csr.indptr[i + 1] - csr.indptr[i];
    const int64_t ahead = csr.indptr[csr.num_rows] - csr.indptr[i] - 1;
    T* best = value + (keep ? i * sweep.lanes : 0);
    auto* who = id + (keep ? i * sweep.lanes : 0);
    if (n == 0 || sweep.nan)
      max_row_plain(sweep.x, sweep.shape.features, from, sweep.skip_nan, nobody, ids, n,
                    sweep.lanes, best, who);
    else
      row(from, ids, n, ahead, sweep.lanes, best, who);
    const T* shown = best;
    const int32_t* node = reinterpret_cast<const int32_t*>(who);
    if (sweep.gaps || sizeof(T) != sizeof(int32_t)) {
      for (int l = 0; l < sweep.lanes; ++l) {
        const bool empty = who[l] == nobody;
        nodes[l] = empty ? -1 : static_cast<int32_t>(who[l]);
        values[l] = empty ? T(0) : best[l];
      }
      shown = values.data();
      node = nodes.data();
    }
    write_row(out, weight, all, sweep.x - sweep.f, sweep.shape.features, sweep.b, k, i,
              sweep.f, sweep.lanes, shown, node);
  }
}

template <typename T>
void max_sweep(const Sweep<T>& sweep, int64_t hops, const Output<T>& out, const T* weight,
               const Split& by) {
  using Int = typename Lane<T>::Int;
  const int64_t kept = hops > 1 ? sweep.shape.nodes * sweep.lanes : 0;
  Buffer<T> values[2] = {Buffer<T>(kept), Buffer<T>(hops > 2 ? kept : 0)};
  Buffer<Int> ids[2] = {Buffer<Int>(kept), Buffer<Int>(hops > 2 ? kept : 0)};
  Carried<T> from{sweep.x, sweep.shape.features, nullptr};
  for (int64_t k = 0; k < hops; ++k) {
    const bool keep = k + 1 < hops;
    parallel(by.inner, by.parts, [&](int64_t part) {
      Buffer<T> value(keep ? 0 : sweep.lanes);
      Buffer<Int> id(keep ? 0 : sweep.lanes);
      max_nodes(sweep, from, k, hops, out, weight,
                keep ? values[k % 2].data() : value.data(),
                keep ? ids[k % 2].data() : id.data(), keep,
                cut(sweep.stack, part, by.parts), cut(sweep.stack, part + 1, by.parts));
    });
    from = {values[k % 2].data(), sweep.lanes, ids[k % 2].data()};
  }
}

// `csr` holds one row per node. Results are those of hops * nodes stacked rows.
template <typename T>
void maxima(const T* x, Shape shape, Csr csr, int64_t hops, Choice choice, Output<T> out) {
  if (shape.batch == 0 || shape.features == 0 || shape.nodes == 0)
    return;
  Buffer<T> weight;
  spread_weight(out, hops, shape.features, &weight);
  if (hops == 0) {
    if (out.combined)
      combine_own(x, weight.data(), shape.batch * shape.nodes, shape.features,
                  out.combined);
    return;
  }
  const double neighbors = static_cast<double>(csr.indptr[csr.num_rows] + 8 * shape.nodes);
  const double lanes = static_cast<double>(shape.batch * shape.features);
  const int threads =
      worth(0.08 * neighbors * lanes * static_cast<double>(hops), choice.threads);
  if (shape.features < kMinFeatures)
    return run_packed(x, shape, shape.nodes, hops, threads, out,
                      [&](const T* packed, Shape wide, const Output<T>& inner) {
                        maxima(packed, wide, csr, hops, choice, inner);
                      });
  const Split by = split(shape.batch, threads);
  const bool empty = has_empty_row(csr);
  parallel(by.outer, shape.batch, [&](int64_t b) {
    const T* element = x + b * shape.nodes * shape.features;
    const bool nan = scan(element, shape.nodes * shape.features, by.inner).nan;
    const int lanes_at_once = static_cast<int>(least<int64_t>(shape.features, 2 * kTile));
    for (int64_t start = 0; start < shape.features; start += lanes_at_once) {
      const int64_t f = least(start, shape.features - lanes_at_once);
      const Sweep<T> sweep{element + f, shape,         {csr, 1, shape.nodes}, b, f,
                           lanes_at_once, nan, choice.skip_nan, nan || empty};
      max_sweep(sweep, hops, out, weight.data(), by);
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
