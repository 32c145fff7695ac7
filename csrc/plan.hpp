// The cost model: which way a stack of rows is selected, from graph and shape alone.
//
// Costs are rough nanoseconds per tile of 32 signals, measured on one AVX2 machine on W1
// to W7 of benchmarks/workloads.py; only their ratios matter. Two plans are compared:
//   without ranks  each row by network if small, by its own codes if not
//   with ranks     the codes of all nodes once, then each row by network or by ranks
// Every plan gives the same result; `Choice::path` forces one.
#pragma once

#include "network.hpp"
#include "plain.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr double kSerialBelow = 5e5;  // ns of work that threads do not pay off for

struct Plan {
  bool plain = false;
  bool ranks = false;
  int64_t network_limit = 0;  // rows of this padded size and less go by network
  double cost = 0;            // ns per tile
};

template <size_t... Half>
constexpr int network_steps(int64_t half, std::index_sequence<Half...>) {
  const int steps[] = {kNetwork<2 * Half + 1>.count...};
  return steps[half];
}

template <typename T>
inline double network_cost(int64_t size) {
  if (size > kLargestNetwork)
    return 1e300;
  const int steps =
      network_steps(size / 2, std::make_index_sequence<kLargestNetwork / 2 + 1>{});
  return (kTile / kWidth<T>)*(0.6 * steps + 1.0 * size + 4);
}

// Signals that fill no tile are coded a vector at a time.
template <typename T>
inline double codes_cost(int64_t n, int64_t features) {
  const double tiles = features < kTile ? kTile / kWidth<T> : 1;
  return tiles * (600 + (sizeof(T) == 4 ? 20.0 : 34.0) * n);
}

// A tile that is not full costs as much as a full one.
inline double ranks_cost(int64_t n, int64_t num_nodes, int64_t lanes) {
  const double tiles = static_cast<double>(kTile) / static_cast<double>(lanes);
  return tiles * (num_nodes <= 256 ? 60 + 5.0 * n : 600 + 6.0 * n);
}

// Narrow signals of several batch elements share a tile (pack.hpp).
inline bool can_share(Shape shape) {
  return shape.batch > 1 && 2 * shape.features <= kTile;
}

template <typename T>
inline double table_cost(int64_t num_nodes) {
  if (num_nodes <= 256)
    return (kTile / kWidth<T>)*0.3 * num_nodes * num_nodes;
  return kTile * sizeof(T) / 4 * (3000 + 12.0 * num_nodes);
}

// Rows of equal length cost the same: count the lengths first.
template <typename T>
class Lengths {
 public:
  explicit Lengths(Csr csr) : csr_(csr), counts_(kCounted) {
    memset(counts_.data(), 0, kCounted * sizeof(int64_t));
    for (int64_t row = 0; row < csr.num_rows; ++row)
      if (const int64_t n = size(row); n < kCounted)
        ++counts_[n];
  }
  template <typename F>
  double sum(F&& cost) {
    double total = 0;
    for (int64_t n = 1; n < kCounted; ++n)
      if (counts_[n])
        total += counts_[n] * cost(n);
    for (int64_t row = 0; row < csr_.num_rows; ++row)
      if (const int64_t n = size(row); n >= kCounted)
        total += cost(n);
    return total;
  }

 private:
  static constexpr int64_t kCounted = 512;
  int64_t size(int64_t row) const { return csr_.indptr[row + 1] - csr_.indptr[row]; }
  Csr csr_;
  Buffer<int64_t> counts_;
};

template <typename T>
Plan make_plan(Csr csr, Shape shape, Rank rank, Path path) {
  Plan plan;
  const int64_t signals = shape.features * (can_share(shape) ? shape.batch : 1);
  const int64_t lanes = most<int64_t>(least<int64_t>(signals, kTile), 1);
  const auto ranks = [&](int64_t n) { return ranks_cost(n, shape.nodes, lanes); };
  plan.plain = path == Path::plain;
  plan.ranks = path == Path::ranks;
  if (path == Path::network || path == Path::automatic)
    plan.network_limit = kLargestNetwork;
  Lengths<T> lengths(csr);
  const auto network = [&](int64_t n) {
    return network_cost<T>(padded_size(n, position_of(rank, n)));
  };
  const auto without = [&](int64_t n) {
    return least(network(n), codes_cost<T>(n, shape.features));
  };
  plan.cost = plan.plain ? lengths.sum([](int64_t n) { return 320.0 * n; })
                         : lengths.sum(without);
  if (path != Path::automatic)
    return plan;
  const auto with = [&](int64_t n) { return least(network(n), ranks(n)); };
  const double ranked = table_cost<T>(shape.nodes) + lengths.sum(with);
  if (shape.nodes > 0 && ranked < plan.cost) {
    plan.ranks = true;
    plan.cost = ranked;
    while (plan.network_limit > 1 &&
           network_cost<T>(plan.network_limit) > ranks(plan.network_limit))
      plan.network_limit -= 2;
  }
  return plan;
}

inline int worth(double nanoseconds, int threads) {
  return nanoseconds < kSerialBelow ? 1 : most(threads, 1);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
