// Neighbourhoods of 1, ..., hops hops, found node by node, never multiplied out.
//
// Within k hops: all nodes reached by at most k steps along the rows, the node itself
// included (the support of (I + N)^k). Exactly k hops: those reached by a walk of k
// steps (the support of N^k). Rows come out in increasing order.
#pragma once

#include "plan.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

// A set of nodes: bits, and bits of the words that are not empty, so that listing the
// members in order costs little more than their number.
class NodeSet {
 public:
  explicit NodeSet(int64_t num_nodes)
      : words_(num_nodes / 64 + 1),
        blocks_(num_nodes / 4096 + 1),
        num_blocks_(num_nodes / 4096 + 1) {
    memset(words_.data(), 0, (num_nodes / 64 + 1) * sizeof(uint64_t));
    memset(blocks_.data(), 0, num_blocks_ * sizeof(uint64_t));
  }
  bool insert(int64_t node) {  // false if it was there
    uint64_t& word = words_[node >> 6];
    const uint64_t bit = uint64_t(1) << (node & 63);
    if (word & bit)
      return false;
    word |= bit;
    blocks_[node >> 12] |= uint64_t(1) << (node >> 6 & 63);
    return true;
  }
  template <typename F>
  void for_words(F&& body) {
    for (int64_t block = 0; block < num_blocks_; ++block)
      for (uint64_t left = blocks_[block]; left; left &= left - 1)
        body(block * 64 + __builtin_ctzll(left));
  }
  int64_t list(int32_t* to) {
    int32_t* const begin = to;
    for_words([&](int64_t word) {
      for (uint64_t left = words_[word]; left; left &= left - 1)
        *to++ = static_cast<int32_t>(word * 64 + __builtin_ctzll(left));
    });
    return to - begin;
  }
  void clear() {
    for_words([&](int64_t word) { words_[word] = 0; });
    memset(blocks_.data(), 0, num_blocks_ * sizeof(uint64_t));
  }

 private:
  Buffer<uint64_t> words_, blocks_;
  int64_t num_blocks_;
};

// Grows the neighbourhood of one node hop by hop; one per thread.
class Explorer {
 public:
  Explorer(Csr csr, bool exact)
      : csr_(csr), exact_(exact), set_(csr.num_rows), reached_(csr.num_rows + 1) {}
  void start(int32_t node) {
    set_.clear();
    reached_[0] = node;
    front_ = 0;
    size_ = 1;
    if (!exact_)
      set_.insert(node);
  }
  int64_t step() {  // the number of nodes after one more hop
    if (exact_)
      return step_exact();
    const int64_t end = size_;
    for (; front_ < end; ++front_)
      expand(reached_[front_]);
    return size_;
  }
  int64_t list(int32_t* to) { return set_.list(to); }

 private:
  void expand(int64_t node) {
    for (int64_t e = csr_.indptr[node]; e < csr_.indptr[node + 1]; ++e)
      if (set_.insert(csr_.indices[e]))
        reached_[size_++] = csr_.indices[e];
  }
  int64_t step_exact() {  // forget the last hop, keep only what it leads to
    before_.reserve(csr_.num_rows + 1);
    memcpy(before_.data(), reached_.data(), size_ * sizeof(int32_t));
    const int64_t count = size_;
    size_ = 0;
    set_.clear();
    for (int64_t j = 0; j < count; ++j)
      expand(before_[j]);
    return size_;
  }

  Csr csr_;
  bool exact_;
  NodeSet set_;
  Buffer<int32_t> reached_, before_;
  int64_t front_ = 0, size_ = 0;
};

// Few, equal ranges of centers; a thread takes one after the other.
template <typename F>
void for_centers(Csr csr, int64_t count, int64_t hops, int threads, F&& body) {
  const double edges = static_cast<double>(csr.indptr[csr.num_rows]);
  const double mean = edges / static_cast<double>(csr.num_rows + 1) + 1;
  double reach = 1;
  for (int64_t k = 0; k < hops && reach < edges; ++k)
    reach *= mean;
  threads = worth(3 * reach * static_cast<double>(count), threads);
  const int64_t parts = threads > 1 ? least<int64_t>(count, 64 * threads) : 1;
  parallel(threads, parts, [&](int64_t part) {
    body(count * part / parts, count * (part + 1) / parts);
  });
}

// sizes: (hops, num_centers). `centers` null: every node.
inline void ball_sizes(Csr csr, int64_t hops, bool exact, const int32_t* centers,
                       int64_t num_centers, int threads, int64_t* sizes) {
  for_centers(csr, num_centers, hops, threads, [&](int64_t begin, int64_t end) {
    Explorer explorer(csr, exact);
    for (int64_t i = begin; i < end; ++i) {
      explorer.start(centers ? centers[i] : static_cast<int32_t>(i));
      for (int64_t k = 0; k < hops; ++k)
        sizes[k * num_centers + i] = explorer.step();
    }
  });
}

// Fill `indices` along `indptr`, which follows from ball_sizes for all nodes.
inline void balls(Csr csr, int64_t hops, bool exact, int threads, const int64_t* indptr,
                  int32_t* indices) {
  for_centers(csr, csr.num_rows, hops, threads, [&](int64_t begin, int64_t end) {
    Explorer explorer(csr, exact);
    for (int64_t i = begin; i < end; ++i) {
      explorer.start(static_cast<int32_t>(i));
      for (int64_t k = 0; k < hops; ++k) {
        explorer.step();
        explorer.list(indices + indptr[k * csr.num_rows + i]);
      }
    }
  });
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
