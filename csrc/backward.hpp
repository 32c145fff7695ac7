// Backward of z = w_0 x + sum_k w_k value_k along the selected nodes.
//
// grad_x starts from zeros, takes w_k g from hop after hop in the order of the rows, then
// w_0 g; node -1 takes nothing. The gradient of a weight is sum g value, summed in double,
// column by column. A column belongs to one thread: same bits for any number of threads.
//
// Eight features are handled at once. Their values and their sums lie side by side, one
// cache line per node, so that a selected node costs one access to memory instead of two.
#pragma once

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

// One node, `Lanes` features (0: `lanes` of them, any number up to eight).
template <typename T, int Lanes>
[[gnu::always_inline]] inline void send_row(const T* grad, const int32_t* nodes,
                                            const T* weight, int lanes, T* pairs,
                                            double* sums) {
  const int count = Lanes ? Lanes : lanes;
  T taken[kPair], sent[kPair];
  int32_t sign = 0;
  for (int l = 0; l < count; ++l) {
    sent[l] = weight[l] * grad[l];
    sign |= nodes[l];
  }
  if (sign >= 0) {
#pragma GCC unroll 8
    for (int l = 0; l < count; ++l) {
      T* const pair = pairs + int64_t(nodes[l]) * 2 * kPair + l;
      taken[l] = pair[0];
      pair[kPair] += sent[l];
    }
  } else {
    for (int l = 0; l < count; ++l) {
      T* const pair = pairs + int64_t(most(nodes[l], 0)) * 2 * kPair + l;
      taken[l] = nodes[l] < 0 ? T(0) : pair[0];
      if (nodes[l] >= 0)
        pair[kPair] += sent[l];
    }
  }
  for (int l = 0; l < count; ++l)
    sums[l] += nodes[l] < 0 ? 0 : static_cast<double>(grad[l]) * taken[l];
}

template <typename T, int Lanes>
void send_columns(const Backward<T>& job, int64_t b, int64_t f, int lanes, T* pairs) {
  const int64_t features = job.shape.features, size = job.shape.nodes * features;
  const int count = Lanes ? Lanes : lanes;
  const T *grad = job.grad + b * size + f, *x = job.x + b * size + f;
  T* const grad_x = job.grad_x + b * size + f;
  for (int64_t i = 0; i < job.shape.nodes; ++i) {
    for (int l = 0; l < count; ++l) {
      pairs[i * 2 * kPair + l] = x[i * features + l];
      pairs[i * 2 * kPair + kPair + l] = 0;
    }
  }
  double* const out = job.sums + b * (job.hops + 1) * features + f;
  for (int64_t k = 0; k < job.hops; ++k) {
    const int32_t* nodes = job.nodes + (b * job.hops + k) * size + f;
    T weight[kPair];
    double sums[kPair] = {};
    for (int l = 0; l < count; ++l)
      weight[l] = job.weight[(k + 1) * features + f + l];
    for (int64_t at = 0; at < size; at += features)
      send_row<T, Lanes>(grad + at, nodes + at, weight, lanes, pairs, sums);
    for (int l = 0; l < count; ++l)
      out[(k + 1) * features + l] = sums[l];
  }
  double own[kPair] = {};
  for (int64_t i = 0; i < job.shape.nodes; ++i) {
    for (int l = 0; l < count; ++l) {
      const T g = grad[i * features + l];
      own[l] += static_cast<double>(g) * pairs[i * 2 * kPair + l];
      grad_x[i * features + l] =
          pairs[i * 2 * kPair + kPair + l] + job.weight[f + l] * g;
    }
  }
  for (int l = 0; l < count; ++l)
    out[l] = own[l];
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
      if (lanes == kPair)
        send_columns<T, kPair>(job, b, f, lanes, pairs.data());
      else
        send_columns<T, 0>(job, b, f, lanes, pairs.data());
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
