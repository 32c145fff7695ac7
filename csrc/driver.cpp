// Every path against the plain one, without Python: for processors that Python is not at
// hand for (`make arm`). Returns the number of comparisons that failed.
#include <cstdio>
#include <random>
#include <vector>

#include "api.hpp"

namespace vicinal {
namespace baseline {
extern const KernelSet kernel_set;
}

namespace {

struct Graph {
  std::vector<int64_t> indptr{0};
  std::vector<int32_t> indices;
  Csr csr() const {
    return {indptr.data(), indices.data(), static_cast<int64_t>(indptr.size()) - 1};
  }
};

// Each node hears itself and a share of the others that differs from node to node.
Graph random_graph(int nodes, std::mt19937* random) {
  Graph graph;
  for (int i = 0; i < nodes; ++i) {
    const unsigned share = (*random)() % 100;
    for (int j = 0; j < nodes; ++j)
      if (i == j || (*random)() % 200 < share)
        graph.indices.push_back(j);
    graph.indptr.push_back(static_cast<int64_t>(graph.indices.size()));
  }
  return graph;
}

template <typename T>
std::vector<T> random_signal(size_t size, int kind, std::mt19937* random) {
  std::normal_distribution<T> normal;
  std::vector<T> x(size);
  for (T& value : x) {
    value = normal(*random);
    if (kind == 1)  // tied, zeros of both signs
      value = static_cast<T>(static_cast<int>(2 * value)) * T(0.5) * T(value < 0 ? -1 : 1);
    if (kind == 2 && (*random)() % 50 == 0)
      value = static_cast<T>(__builtin_nan(""));
  }
  return x;
}

template <typename T>
struct Result {
  std::vector<T> values;
  std::vector<int32_t> nodes;
  explicit Result(size_t size) : values(size), nodes(size) {}
  Output<T> output() { return {values.data(), nodes.data(), nullptr, nullptr, false}; }
  bool operator==(const Result& other) const {
    bool same = nodes == other.nodes;
    for (size_t i = 0; i < values.size() && same; ++i)
      same = values[i] == other.values[i] || values[i] != values[i];
    return same;
  }
};

int failures = 0;

void expect(bool holds, const char* what, int nodes, int kind) {
  if (holds)
    return;
  ++failures;
  std::printf("differs: %s, %d nodes, signal %d\n", what, nodes, kind);
}

template <typename T>
void check_backward(const Kernels<T>& kernels, const std::vector<T>& x,
                    const Result<T>& found, Shape shape, int kind) {
  std::vector<T> grad_x(x.size()), expected(x.size());
  kernels.scatter(found.values.data(), found.nodes.data(), shape.nodes, shape, 2,
                  grad_x.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t f = i % shape.features, b = i / (shape.nodes * shape.features);
    if (found.nodes[i] >= 0)
      expected[(b * shape.nodes + found.nodes[i]) * shape.features + f] +=
          found.values[i];
  }
  bool same = true;
  for (size_t i = 0; i < x.size(); ++i)
    same &= grad_x[i] == expected[i] || expected[i] != expected[i];
  expect(same, "scatter", static_cast<int>(shape.nodes), kind);
}

template <typename T>
void check(const Kernels<T>& kernels, int nodes, int features, int kind) {
  std::mt19937 random(static_cast<unsigned>(nodes + features + kind));
  const Graph graph = random_graph(nodes, &random);
  const Shape shape{2, nodes, features};
  const auto x = random_signal<T>(size_t(2) * nodes * features, kind, &random);
  for (const Rank rank : {Rank{1, 1, 2}, Rank{1, 0, 1}, Rank{3, 0, 10}}) {
    Result<T> expected(x.size());
    kernels.select(x.data(), shape, graph.csr(), 1, {rank, false, Path::plain, 1},
                   expected.output());
    for (const Path path : {Path::automatic, Path::network, Path::ranks, Path::codes}) {
      Result<T> found(x.size());
      kernels.select(x.data(), shape, graph.csr(), 1, {rank, false, path, 3},
                     found.output());
      expect(found == expected, "select", nodes, kind);
    }
    Result<T> found(x.size());
    kernels.select_balls(x.data(), shape, graph.csr(), 1, nullptr, nodes,
                         {rank, false, Path::balls, 2}, found.output());
    expect(found == expected, "select_balls", nodes, kind);
    if (rank.numerator == rank.denominator) {
      kernels.maxima(x.data(), shape, graph.csr(), 1, {rank, false, Path::automatic, 2},
                     found.output());
      expect(found == expected, "maxima", nodes, kind);
    }
    check_backward(kernels, x, expected, shape, kind);
  }
}

}  // namespace
}  // namespace vicinal

int main() {
  using namespace vicinal;
  for (const int nodes : {1, 7, 40, 150, 300})
    for (const int features : {1, 8, 33})
      for (const int kind : {0, 1, 2}) {
        check(baseline::kernel_set.float32, nodes, features, kind);
        check(baseline::kernel_set.float64, nodes, features, kind);
      }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
