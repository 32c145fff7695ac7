// Backward of z = w_0 x + sum_k w_k value_k along the selected nodes.
//
// grad_x starts from zeros, takes w_k g from hop after hop in the order of the rows, then
// w_0 g; node -1 takes nothing. The gradient of a weight is sum g value, summed in double,
// column by column. A column belongs to one thread: same bits for any number of threads.
//
// Eight features are handled at once. Their values and their sums lie side by side, one
// cache line per node, so that a selected node costs one access to memory instead of two.
#pragma once

#include <utility>

#include "plan.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int kPair = 8;  // features; a pair holds their values, then their sums

template <typename T>
struct Backward {
  const T *grad, *x;     // (batch, nodes, features)
  const int32_t* nodes;  // (batch, hops * nodes, features)
  const T* weight;       // (hops + 1, features)
  int64_t hops;
  Shape shape;
  T* grad_x;
  double* sums;  // (batch, hops + 1, features)
};

// Sums of products in double, eight features; stays in registers.
struct Sums {
  Vec<double> part[kPair / kWidth<double>] = {};

  template <typename T>
  [[gnu::always_inline]] void add(const T* a, const T* b) {
    for (int v = 0; v < kPair / kWidth<double>; ++v)
      part[v] += widen(a + v * kWidth<double>) * widen(b + v * kWidth<double>);
  }
  [[gnu::always_inline]] void store_to(double* sums) const {
    for (int v = 0; v < kPair / kWidth<double>; ++v)
      store(sums + v * kWidth<double>, part[v]);
  }
};

// The values of eight selected nodes. Built in registers: written one by one and read
// back as a vector, they would wait in the store buffer.
template <typename T, size_t... At>
[[gnu::always_inline]] inline void take(const T* pairs, const int32_t* nodes, T* taken,
                                        std::index_sequence<At...>) {
  for (int l = 0; l < kPair; l += kWidth<T>)
    store(taken + l, Vec<T>{pairs[int64_t(nodes[l + At]) * 2 * kPair + l + At]...});
}

// One node, eight features that all selected something.
template <typename T>
[[gnu::always_inline]] inline void send_eight(const T* grad, const int32_t* nodes,
                                              const T* weight, T* pairs, Sums* sums) {
  T taken[kPair], sent[kPair];
  take(pairs, nodes, taken, std::make_index_sequence<kWidth<T>>{});
  sums->add(grad, taken);
  for (int l = 0; l < kPair; l += kWidth<T>)
    store(sent + l, load(weight + l) * load(grad + l));
#pragma GCC unroll 8
  for (int l = 0; l < kPair; ++l)
    pairs[int64_t(nodes[l]) * 2 * kPair + kPair + l] += sent[l];
}

// One node, `lanes` features, each of which may have selected nothing.
template <typename T>
inline void send_some(const T* grad, const int32_t* nodes, const T* weight, int lanes,
                      T* pairs, double* sums) {
  for (int l = 0; l < lanes; ++l) {
    if (nodes[l] < 0)
      continue;
    T* const pair = pairs + int64_t(nodes[l]) * 2 * kPair + l;
    sums[l] += static_cast<double>(grad[l]) * pair[0];
    pair[kPair] += weight[l] * grad[l];
  }
}

[[gnu::always_inline]] inline bool any_negative(const int32_t* nodes) {
  uint64_t some[kPair / 2];
  memcpy(some, nodes, sizeof some);
  return ((some[0] | some[1]) | (some[2] | some[3])) & 0x8000000080000000u;
}

// Eight features of one batch element from `f` on, or the `lanes` that are left.
template <typename T>
struct Block {
  const Backward<T>& job;
  int64_t b, f;
  int lanes;
  T* pairs;  // (nodes, 2, kPair)

  int64_t stride() const { return job.shape.features; }
  int64_t size() const { return job.shape.nodes * job.shape.features; }
  const T* grad() const { return job.grad + b * size() + f; }
  double* sums(int64_t k) const {
    return job.sums + (b * (job.hops + 1) + k) * job.shape.features + f;
  }
  const T* weight(int64_t k) const { return job.weight + k * job.shape.features + f; }
};

template <typename T>
void fill_pairs(const Block<T>& block) {
  const T* x = block.job.x + block.b * block.size() + block.f;
  T* pair = block.pairs;
  for (int64_t at = 0; at < block.size(); at += block.stride(), pair += 2 * kPair) {
    for (int l = 0; l < kPair; l += kWidth<T>)
      store(pair + kPair + l, Vec<T>{});
    if (block.lanes == kPair)
      for (int l = 0; l < kPair; l += kWidth<T>)
        store(pair + l, load(x + at + l));
    else
      for (int l = 0; l < block.lanes; ++l)
        pair[l] = x[at + l];
  }
}

template <typename T>
void send_hop(const Block<T>& block, int64_t k) {
  const int32_t* nodes =
      block.job.nodes + (block.b * block.job.hops + k - 1) * block.size() + block.f;
  const T *const grad = block.grad(), *const weight = block.weight(k);
  Sums sums;
  alignas(64) double total[kPair], rest[kPair] = {};
  for (int64_t at = 0; at < block.size(); at += block.stride()) {
    if (block.lanes == kPair && !any_negative(nodes + at))
      send_eight(grad + at, nodes + at, weight, block.pairs, &sums);
    else
      send_some(grad + at, nodes + at, weight, block.lanes, block.pairs, rest);
  }
  sums.store_to(total);
  for (int l = 0; l < block.lanes; ++l)
    block.sums(k)[l] = total[l] + rest[l];
}

// The node's own share, and the end of the sums: grad_x = sent + w_0 g.
template <typename T>
void finish(const Block<T>& block) {
  const T *const grad = block.grad(), *const weight = block.weight(0);
  T* const grad_x = block.job.grad_x + block.b * block.size() + block.f;
  const T* pair = block.pairs;
  Sums sums;
  alignas(64) double total[kPair], rest[kPair] = {};
  for (int64_t at = 0; at < block.size(); at += block.stride(), pair += 2 * kPair) {
    if (block.lanes == kPair) {
      sums.add(grad + at, pair);
      for (int l = 0; l < kPair; l += kWidth<T>)
        store(grad_x + at + l,
              load(pair + kPair + l) + load(weight + l) * load(grad + at + l));
      continue;
    }
    for (int l = 0; l < block.lanes; ++l) {
      rest[l] += static_cast<double>(grad[at + l]) * pair[l];
      grad_x[at + l] = pair[kPair + l] + weight[l] * grad[at + l];
    }
  }
  sums.store_to(total);
  for (int l = 0; l < block.lanes; ++l)
    block.sums(0)[l] = total[l] + rest[l];
}

// grad_weight has the shape of weight: (hops + 1,) or (hops + 1, features).
template <typename T>
void combine_backward(const T* grad, const T* x, const int32_t* nodes, int64_t hops,
                      Shape shape, const T* weight, bool per_feature, int threads,
                      T* grad_x, double* grad_weight) {
  const int64_t features = shape.features, wide = (hops + 1) * features;
  memset(grad_weight, 0, (per_feature ? wide : hops + 1) * sizeof(double));
  if (shape.batch == 0 || features == 0)
    return;
  Buffer<T> weights(wide);
  Buffer<double> sums(shape.batch * wide);
  for (int64_t k = 0; k <= hops; ++k)
    for (int64_t f = 0; f < features; ++f)
      weights[k * features + f] = weight[per_feature ? k * features + f : k];
  const Backward<T> job{grad,  x,      nodes,      weights.data(), hops,
                        shape, grad_x, sums.data()};
  const int64_t blocks = (features + kPair - 1) / kPair;
  const double touched = static_cast<double>(shape.batch * wide * shape.nodes);
  threads = worth(2.0 * touched, threads);
  const int64_t chunk = threads > 1 ? 1 : shape.batch * blocks;
  parallel(threads, shape.batch * blocks / chunk, [&](int64_t at) {
    Buffer<T> pairs(shape.nodes * 2 * kPair);
    for (int64_t block = at * chunk; block < (at + 1) * chunk; ++block) {
      const int64_t b = block / blocks, f = block % blocks * kPair;
      const int lanes = static_cast<int>(least<int64_t>(kPair, features - f));
      const Block<T> columns{job, b, f, lanes, pairs.data()};
      fill_pairs(columns);
      for (int64_t k = 1; k <= hops; ++k)
        send_hop(columns, k);
      finish(columns);
    }
  });
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t k = 0; k <= hops; ++k)
      for (int64_t f = 0; f < features; ++f)
        grad_weight[per_feature ? k * features + f : k] +=
            sums[(b * (hops + 1) + k) * features + f];
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
