// Backward of z = w_0 x + sum_k w_k value_k along the selected nodes.
//
// s_k[j] is the sum of g over the rows of hop k that selected node j, in the order of the
// rows, and s_0 is g. Then grad_x = w_0 s_0 + w_1 s_1 + ..., and the gradient of w_k is the
// sum of s_k[j] x[j], column by column; where s_k[j] is zero nothing is added, whatever
// x[j]. All sums over rows are in double: a hub may be selected by a million of them. No
// value is gathered again. Node -1 takes nothing. A column, one feature of one batch
// element, belongs to one thread: same bits for any number of them.
//
// Columns are handled in strips of a cache line of sums: a selected node costs one access.
#pragma once

#include "plan.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int kStrip = 64 / sizeof(double);       // columns, at most
constexpr int64_t kSentBytes = int64_t(1) << 26;  // beyond, strips are half as wide

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

// `lanes` columns of one batch element from feature `f` on; the last strip of a row may
// be narrower than `width`.
template <typename T>
struct Strip {
  const Backward<T>& job;
  int64_t b, f;
  int width, lanes;
  double* sent;  // (nodes, width): s_k; the row before the first is that of node -1

  int64_t stride() const { return job.shape.features; }
  int64_t size() const { return job.shape.nodes * job.shape.features; }
  const T* grad() const { return job.grad + b * size() + f; }
  const T* x() const { return job.x + b * size() + f; }
  T* grad_x() const { return job.grad_x + b * size() + f; }
  const T* weight(int64_t k) const { return job.weight + k * job.shape.features + f; }
  const int32_t* nodes(int64_t k) const {
    return job.nodes + (b * job.hops + k - 1) * size() + f;
  }
  double* sums(int64_t k) const {
    return job.sums + (b * (job.hops + 1) + k) * job.shape.features + f;
  }
};

// s_k += g at the nodes that hop k selected. Full: the lanes of a full strip, or 0.
template <typename T, int Full>
void send(const Strip<T>& strip, int64_t k) {
  const T* const grad = strip.grad();
  const int32_t* const nodes = strip.nodes(k);
  double* const sent = strip.sent;
  const int lanes = Full ? Full : strip.lanes, width = Full ? Full : strip.width;
  for (int64_t at = 0; at < strip.size(); at += strip.stride())
#pragma GCC unroll 8
    for (int l = 0; l < lanes; ++l)
      sent[int64_t(nodes[at + l]) * width + l] += grad[at + l];
}

// Some columns: sums += s_k x, grad_x = w_0 g or grad_x += w_k s_k.
template <bool Own, typename T>
[[gnu::always_inline]] inline void settle_vector(Vec<double> back, const T* x,
                                                 const T* weight, T* grad_x,
                                                 double* sums) {
  typedef T Part __attribute__((vector_size(kWidth<double> * sizeof(T))));
  const Vec<double> sum = load(sums);
  store(sums, back == Vec<double>{} ? sum : sum + back * widen(x));
  Part factor, total;
  memcpy(&factor, weight, sizeof factor);
  memcpy(&total, grad_x, sizeof total);
  const Part share = factor * __builtin_convertvector(back, Part);
  total = Own ? share : total + share;
  memcpy(grad_x, &total, sizeof total);
}

// The same for one column.
template <bool Own, typename T>
inline void settle_one(double back, T x, T weight, T* grad_x, double* sum) {
  if (back != 0)
    *sum += back * x;
  const T share = weight * static_cast<T>(back);
  *grad_x = Own ? share : *grad_x + share;
}

// One hop, or the node's own share; s_k = 0 for the next hop.
template <typename T, int Full, bool Own>
void settle(const Strip<T>& strip, int64_t k) {
  const T *const x = strip.x(), *const weight = strip.weight(k), *const grad = strip.grad();
  T* const grad_x = strip.grad_x();
  double* sent = strip.sent;
  const int lanes = Full ? Full : strip.lanes, even = lanes - lanes % kWidth<double>;
  const int width = Full ? Full : strip.width;
  alignas(64) double sums[kStrip] = {};
  for (int64_t at = 0; at < strip.size(); at += strip.stride(), sent += width) {
    for (int l = 0; l < even; l += kWidth<double>)
      settle_vector<Own>(Own ? widen(grad + at + l) : load(sent + l), x + at + l,
                         weight + l, grad_x + at + l, sums + l);
    for (int l = even; l < lanes; ++l)
      settle_one<Own>(Own ? grad[at + l] : sent[l], x[at + l], weight[l], grad_x + at + l,
                      sums + l);
    if (!Own)
      memset(sent, 0, width * sizeof(double));
  }
  memcpy(strip.sums(k), sums, lanes * sizeof(double));
}

template <typename T, int Full>
void run_hops(const Strip<T>& strip) {
  settle<T, Full, true>(strip, 0);
  for (int64_t k = 1; k <= strip.job.hops; ++k) {
    send<T, Full>(strip, k);
    settle<T, Full, false>(strip, k);
  }
}

template <typename T>
void run_strip(const Strip<T>& strip) {
  if (strip.lanes == kStrip)
    run_hops<T, kStrip>(strip);
  else if (strip.lanes == kStrip / 2 && strip.width == strip.lanes)
    run_hops<T, kStrip / 2>(strip);
  else
    run_hops<T, 0>(strip);
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
  const double touched = static_cast<double>(shape.batch * wide * shape.nodes);
  threads = worth(0.6 * touched, threads);
  int width = kStrip;
  const bool few = shape.batch * ((features + width - 1) / width) < threads;
  if (few || shape.nodes * width * int64_t(sizeof(double)) > kSentBytes)
    width /= 2;
  const int64_t strips = (features + width - 1) / width, all = shape.batch * strips;
  const int64_t parts = threads > 1 ? least<int64_t>(all, 8 * threads) : 1;
  parallel(threads, parts, [&](int64_t part) {
    Buffer<double> sent((shape.nodes + 1) * width);
    memset(sent.data(), 0, (shape.nodes + 1) * width * sizeof(double));
    for (int64_t i = all * part / parts; i < all * (part + 1) / parts; ++i) {
      const int64_t f = i % strips * width;
      const int lanes = static_cast<int>(least<int64_t>(width, features - f));
      run_strip<T>({job, i / strips, f, width, lanes, sent.data() + width});
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
