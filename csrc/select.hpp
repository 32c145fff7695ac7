// Rank selection over stored rows: see plain.hpp for the contract, plan.hpp for the choice.
#pragma once

#include "pack.hpp"
#include "plan.hpp"
#include "ranks.hpp"
#include "rows.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

// The signals a row is selected from: a tile of one batch element.
template <typename T>
struct Tile {
  const T* x;  // first signal; node i at x + i * stride
  int64_t stride, num_nodes;
  int lanes;
  Special special;
  const RankTable* table;  // codes of all nodes, or null
};

// What was selected from one row.
template <typename T>
struct Selected {
  Buffer<T> value;
  Buffer<int32_t> node;
  explicit Selected(int lanes) : value(lanes), node(lanes) {}
};

// Selects row after row; one per thread. The row of all nodes is selected once and kept.
template <typename T>
class Selector {
 public:
  Selector(const Plan& plan, const Choice& choice, bool want_nodes, const Tile<T>& tile)
      : plan_(plan),
        choice_(choice),
        tile_(tile),
        want_nodes_(want_nodes || tile.special.negative_zero),
        some_(tile.lanes),
        all_(tile.lanes),
        infinities_(2 * tile.lanes) {
    for (int l = 0; l < tile.lanes; ++l) {
      infinities_[l] = static_cast<T>(-__builtin_inf());
      infinities_[tile.lanes + l] = static_cast<T>(__builtin_inf());
    }
  }
  T* value() { return now_->value.data(); }
  int32_t* node() { return now_->node.data(); }

  void select(const int32_t* ids, int64_t n) {
    const bool all = n == tile_.num_nodes;
    now_ = all ? &all_ : &some_;
    if (all && holds_all_)
      return;
    holds_all_ |= all;
    if (n == 0)
      return select_nothing();
    if (plan_.plain)
      return select_plain(ids, n);
    select_fast(ids, n);
    if (tile_.special.nan)
      mend_nan(ids, n);
    if (tile_.special.negative_zero)
      mend_zeros();
  }

 private:
  void select_nothing() {
    for (int l = 0; l < tile_.lanes; ++l) {
      value()[l] = 0;
      node()[l] = -1;
    }
  }
  void select_lane(const int32_t* ids, int64_t n, int l) {
    scratch_.values.reserve(n);
    const Picked<T> picked = pick_plain(tile_.x + l, tile_.stride, ids, n, choice_.rank,
                                        choice_.skip_nan, scratch_.values.data());
    value()[l] = picked.value;
    node()[l] = picked.node;
  }
  void select_plain(const int32_t* ids, int64_t n) {
    for (int l = 0; l < tile_.lanes; ++l)
      select_lane(ids, n, l);
  }
  void select_fast(const int32_t* ids, int64_t n) {
    const int64_t position = position_of(choice_.rank, n);
    const auto& [x, stride, num_nodes, lanes, special, table] = tile_;
    if (padded_size(n, position) <= plan_.network_limit)
      select_by_network(x, stride, ids, n, position, lanes, infinities_.data(), value(),
                        want_nodes_ ? node() : nullptr);
    else if (table)
      select_by_ranks(x, stride, ids, n, position, lanes, *table, &scratch_, value(),
                      node());
    else
      select_by_codes(x, stride, ids, n, position, lanes, &scratch_, value(), node());
  }
  void mend_nan(const int32_t* ids, int64_t n) {
    for (int l = 0; l < tile_.lanes; ++l) {
      bool nan = false;
      for (int64_t j = 0; j < n && !nan; ++j)
        nan = tile_.x[ids[j] * tile_.stride + l] != tile_.x[ids[j] * tile_.stride + l];
      if (nan)
        select_lane(ids, n, l);
    }
  }
  void mend_zeros() {  // the sign of a zero is that of the selected node
    for (int l = 0; l < tile_.lanes; ++l)
      if (node()[l] >= 0)
        value()[l] = tile_.x[node()[l] * tile_.stride + l];
  }

  const Plan& plan_;
  const Choice& choice_;
  const Tile<T>& tile_;
  const bool want_nodes_;
  bool holds_all_ = false;
  Selected<T> some_, all_;
  Selected<T>* now_ = &some_;
  Buffer<T> infinities_;
  CodeScratch<T> scratch_;
};

template <typename T>
void select_rows(const Tile<T>& tile, const Plan& plan, const Choice& choice,
                 const Stack& stack, const Output<T>& out, const T* weight, int64_t b,
                 int64_t f, int64_t begin, int64_t end) {
  Selector<T> selector(plan, choice, out.nodes != nullptr, tile);
  for (int64_t i = begin; i < end; ++i) {
    for (int64_t k = 0; k < stack.hops; ++k) {
      const int64_t* at = stack.csr.indptr + k * stack.per_hop + i;
      selector.select(stack.csr.indices + at[0], at[1] - at[0]);
      write_row(out, weight, stack, tile.x - f, tile.stride, b, k, i, f, tile.lanes,
                selector.value(), selector.node());
    }
  }
}

template <typename T>
void select_batch_element(const T* x, Shape shape, const Stack& stack, const Plan& plan,
                          const Choice& choice, const Output<T>& out, const T* weight,
                          int64_t b, const Split& by) {
  const int64_t features = shape.features;
  const Special special = scan(x, shape.nodes * features, by.inner);
  const int lanes =
      static_cast<int>(plan.ranks ? least<int64_t>(features, kTile) : features);
  RankTable table(plan.ranks ? shape.nodes : 0);
  for (int64_t start = 0; start < features; start += lanes) {
    const int64_t f = least(start, features - lanes);
    if (plan.ranks)
      rank_tile(x + f, features, lanes, by.inner, &table);
    const Tile<T> tile{x + f,   features, shape.nodes, lanes,
                       special, plan.ranks ? &table : nullptr};
    parallel(by.inner, by.parts, [&](int64_t part) {
      select_rows(tile, plan, choice, stack, out, weight, b, f,
                  cut(stack, part, by.parts), cut(stack, part + 1, by.parts));
    });
  }
}

inline bool pays_to_pack(Shape shape, bool ranks) {
  return shape.features < kMinFeatures || (ranks && can_share(shape));
}

// Select from x (batch, nodes, features) along every row of the stack.
template <typename T>
void select(const T* x, Shape shape, Csr csr, int64_t hops, Choice choice, Output<T> out) {
  if (shape.batch == 0 || shape.features == 0)
    return;
  Buffer<T> weight;
  spread_weight(out, hops, shape.features, &weight);
  if (hops == 0) {
    if (out.combined)
      combine_own(x, weight.data(), shape.batch * shape.nodes, shape.features,
                  out.combined);
    return;
  }
  const Stack stack{csr, hops, csr.num_rows / hops};
  const Plan plan = make_plan<T>(csr, shape, choice.rank, choice.path);
  const double tiles = static_cast<double>(shape.batch * shape.features) / kTile;
  const int threads = worth(plan.cost * tiles, choice.threads);
  if (pays_to_pack(shape, plan.ranks))
    return run_packed(x, shape, stack.per_hop, hops, threads, out,
                      [&](const T* packed, Shape wide, const Output<T>& inner) {
                        select(packed, wide, csr, hops, choice, inner);
                      });
  const Split by = split(shape.batch, threads);
  parallel(by.outer, shape.batch, [&](int64_t b) {
    select_batch_element(x + b * shape.nodes * shape.features, shape, stack, plan, choice,
                         out, weight.data(), b, by);
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
