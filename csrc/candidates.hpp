// From the code of a rank (bisect.hpp) to the node: look at the values that share it.
//
// `collect` lists, per signal, the slots of the row whose code is the found one, in the
// order of the row; `settle` takes the position that remains among their values and the
// lowest id that holds it. Exact whatever the codes are, as long as they never decrease.
#pragma once

#include "bisect.hpp"
#include "plain.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

struct Candidates {
  Buffer<int32_t> slots;
  int64_t begin[kTile + 1];
};

inline void collect(const Codes* codes, int64_t n, const Found& found, int lanes,
                    Candidates* candidates) {
  int64_t fill_at[kTile], total = 0;
  uint64_t mask[kTile / 8] = {};
  for (int l = 0; l < lanes; ++l) {
    candidates->begin[l] = fill_at[l] = total;
    total += found.upto[l] - found.below[l];
    mask[l / 8] |= uint64_t(0xff) << (l % 8 * 8);
  }
  candidates->begin[lanes] = total;
  candidates->slots.reserve(total);
  Bytes code[kParts];
  memcpy(code, found.code, sizeof code);
  for (int64_t j = 0; j < n; ++j) {
    Bytes equal[kParts];
    for (int part = 0; part < kParts; ++part)
      equal[part] = codes[j].part[part] == code[part];
    uint64_t words[kTile / 8];
    memcpy(words, equal, sizeof words);
    if (!((words[0] | words[1]) | (words[2] | words[3])))
      continue;
    for (int w = 0; w < kTile / 8; ++w) {
      for (uint64_t hits = words[w] & mask[w]; hits;) {
        const int byte = __builtin_ctzll(hits) / 8;  // bytes count from the low end
        hits &= ~(uint64_t(0xff) << (byte * 8));
        candidates->slots[fill_at[w * 8 + byte]++] = static_cast<int32_t>(j);
      }
    }
  }
}

// `x` points at the first signal of the tile; signals are neighbours in memory.
template <typename T>
void settle(const T* x, int64_t stride, const int32_t* ids, int64_t position,
            const Found& found, int lanes, Candidates* candidates, Buffer<T>* scratch,
            T* value, int32_t* node) {
  for (int l = 0; l < lanes; ++l) {
    const int32_t* slots = candidates->slots.data() + candidates->begin[l];
    const int64_t count = candidates->begin[l + 1] - candidates->begin[l];
    int32_t chosen = ids[slots[0]];
    if (count > 1) {
      scratch->reserve(2 * count);
      T* values = scratch->data();
      for (int64_t j = 0; j < count; ++j)
        values[j] = values[count + j] = x[ids[slots[j]] * stride + l];
      const T target = kth_smallest(values + count, count, position - found.below[l]);
      chosen = INT32_MAX;
      for (int64_t j = 0; j < count; ++j)
        if (values[j] == target && ids[slots[j]] < chosen)
          chosen = ids[slots[j]];
      chosen = chosen == INT32_MAX ? ids[slots[0]] : chosen;  // NaN: rubbish, in bounds
    }
    value[l] = x[chosen * stride + l];
    node[l] = chosen;
  }
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
