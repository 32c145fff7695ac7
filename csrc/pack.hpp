// Narrow signals: several batch elements side by side in one tile.
//
// A kernel wants at least kMinFeatures signals next to each other. (batch, rows, F) is
// copied to (groups, rows, lanes), where lane l of group g is feature l % F of batch
// element g * per_group + l / F; lanes left over repeat the first one.
#pragma once

#include "simd.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

struct Packing {
  int64_t batch, features, per_group, groups, lanes;
};

inline Packing packing_of(Shape shape) {
  const int64_t fitting = most<int64_t>(kTile / most<int64_t>(shape.features, 1), 1);
  const int64_t per_group = most<int64_t>(least(fitting, shape.batch), 1);
  const int64_t used = per_group * shape.features;
  return {shape.batch, shape.features, per_group,
          (shape.batch + per_group - 1) / per_group,
          (used + kMinFeatures - 1) / kMinFeatures * kMinFeatures};
}

// Lanes of the group that stand for a signal.
inline int64_t used_lanes(const Packing& packing, int64_t group) {
  const int64_t left = packing.batch - group * packing.per_group;
  return least(packing.per_group, left) * packing.features;
}

template <typename T>
void pack(const T* x, int64_t rows, const Packing& packing, int threads, T* packed) {
  parallel(threads, packing.groups, [&](int64_t group) {
    const int64_t used = used_lanes(packing, group), features = packing.features;
    const T* from = x + group * packing.per_group * rows * features;
    T* to = packed + group * rows * packing.lanes;
    for (int64_t l = 0; l < packing.lanes; ++l) {
      const int64_t of = l < used ? l : 0;
      const T* signal = from + of / features * rows * features + of % features;
      for (int64_t i = 0; i < rows; ++i)
        to[i * packing.lanes + l] = signal[i * features];
    }
  });
}

template <typename T>
void unpack(const T* packed, int64_t rows, const Packing& packing, int threads, T* x) {
  parallel(threads, packing.groups, [&](int64_t group) {
    const int64_t used = used_lanes(packing, group), features = packing.features;
    const T* from = packed + group * rows * packing.lanes;
    T* to = x + group * packing.per_group * rows * features;
    for (int64_t l = 0; l < used; ++l) {
      T* signal = to + l / features * rows * features + l % features;
      for (int64_t i = 0; i < rows; ++i)
        signal[i * features] = from[i * packing.lanes + l];
    }
  });
}

// Run `kernel(x, shape, output)` on packed signals and bring the results home.
template <typename T, typename F>
void run_packed(const T* x, Shape shape, int64_t per_hop, int64_t hops, int threads,
                const Output<T>& out, F&& kernel) {
  const Packing packing = packing_of(shape);
  const int64_t width = packing.groups * packing.lanes, rows = hops * per_hop;
  Buffer<T> packed(width * shape.nodes);
  Buffer<T> values(out.values ? width * rows : 0);
  Buffer<T> combined(out.combined ? width * per_hop : 0);
  Buffer<int32_t> nodes(out.nodes ? width * rows : 0);
  Buffer<T> weight((hops + 1) * packing.lanes);
  for (int64_t k = 0; k <= hops && out.weight; ++k)
    for (int64_t l = 0; l < packing.lanes; ++l)
      weight[k * packing.lanes + l] =
          out.weight[out.per_feature ? k * shape.features + l % shape.features : k];
  pack(x, shape.nodes, packing, threads, packed.data());
  kernel(packed.data(), Shape{packing.groups, shape.nodes, packing.lanes},
         Output<T>{values.data(), nodes.data(), combined.data(), weight.data(), true});
  if (out.values)
    unpack(values.data(), rows, packing, threads, out.values);
  if (out.nodes)
    unpack(nodes.data(), rows, packing, threads, out.nodes);
  if (out.combined)
    unpack(combined.data(), per_hop, packing, threads, out.combined);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
