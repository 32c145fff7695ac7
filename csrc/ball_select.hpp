// Rank selection over neighbourhoods too large to store: found, used and forgotten.
//
// The codes of all nodes (ranks.hpp) are made once per batch element; then every node
// explores its balls of 1, ..., hops hops, itself included, and selects in each.
#pragma once

#include "balls.hpp"
#include "select.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

class Tables {  // one per tile of a batch element
 public:
  Tables(int64_t count, int64_t num_nodes) : tables_(new RankTable*[count]) {
    for (; count_ < count; ++count_)
      tables_[count_] = new RankTable(num_nodes);
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  ~Tables() {
    for (int64_t i = 0; i < count_; ++i)
      delete tables_[i];
    delete[] tables_;
  }
  RankTable& operator[](int64_t i) { return *tables_[i]; }

 private:
  RankTable** tables_;
  int64_t count_ = 0;
};

template <typename T>
void select_ball_range(const Tile<T>* tiles, int64_t num_tiles, const Plan& plan,
                       const Choice& choice, const Stack& stack, const int32_t* centers,
                       const Output<T>& out, const T* weight, int64_t b, int64_t begin,
                       int64_t end) {
  const Tile<T>& first = tiles[0];
  Explorer explorer(stack.csr, false);
  Buffer<int32_t> ids(first.num_nodes);
  for (int64_t i = begin; i < end; ++i) {
    explorer.start(centers ? centers[i] : static_cast<int32_t>(i));
    for (int64_t k = 0; k < stack.hops; ++k) {
      const int64_t n = explorer.step();
      explorer.list(ids.data());
      for (int64_t t = 0; t < num_tiles; ++t) {
        Selector<T> selector(plan, choice, out.nodes != nullptr, tiles[t]);
        const int64_t f = t * kTile;  // the last tile overlaps the one before
        const int64_t done = f - (tiles[t].x - first.x);
        selector.select(ids.data(), n);
        write_row(out, weight, stack, first.x, first.stride, b, k, i, f,
                  tiles[t].lanes - static_cast<int>(done), selector.value() + done,
                  selector.node() + done);
      }
    }
  }
}

// As `select` over the stack of balls of `centers` (null: every node), which is not
// stored. Combining needs every node as a center.
template <typename T>
void select_balls(const T* x, Shape shape, Csr csr, int64_t hops, const int32_t* centers,
                  int64_t num_centers, Choice choice, Output<T> out) {
  if (shape.batch == 0 || shape.features == 0 || num_centers == 0)
    return;
  Buffer<T> weight;
  spread_weight(out, hops, shape.features, &weight);
  if (hops == 0) {
    if (out.combined)
      combine_own(x, weight.data(), shape.batch * shape.nodes, shape.features,
                  out.combined);
    return;
  }
  const Stack stack{csr, hops, num_centers};
  if (shape.features < kMinFeatures)
    return run_packed(x, shape, num_centers, hops, choice.threads, out,
                      [&](const T* packed, Shape wide, const Output<T>& inner) {
                        select_balls(packed, wide, csr, hops, centers, num_centers,
                                     choice, inner);
                      });
  Plan plan;
  plan.ranks = true;
  plan.network_limit = 31;
  const int64_t features = shape.features, num_tiles = (features + kTile - 1) / kTile;
  const int lanes = static_cast<int>(least<int64_t>(features, kTile));
  Buffer<Tile<T>> tiles(num_tiles);
  Tables tables(num_tiles, shape.nodes);
  for (int64_t b = 0; b < shape.batch; ++b) {
    const T* element = x + b * shape.nodes * features;
    const Special special = scan(element, shape.nodes * features);
    for (int64_t t = 0; t < num_tiles; ++t) {
      const T* from = element + least(t * kTile, features - lanes);
      rank_tile(from, features, lanes, choice.threads, &tables[t]);
      tiles[t] = {from, features, shape.nodes, lanes, special, &tables[t]};
    }
    for_centers(csr, num_centers, hops, choice.threads, [&](int64_t begin, int64_t end) {
      select_ball_range(tiles.data(), num_tiles, plan, choice, stack, centers, out,
                        weight.data(), b, begin, end);
    });
  }
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
