// The rank of a row, found on byte codes: 32 signals at a time, one bit per pass.
//
// A code is any nondecreasing function of the value, 0 .. 255, stored less 128 so that
// signed comparisons order it. `bisect` finds per signal the code of the value at its
// position, how many codes are below it and how many are not above it. The position is
// then sought among the values that share the code (ranks.hpp, candidates.hpp).
#pragma once

#include "simd.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

constexpr int kParts = kTile / VICINAL_VECTOR_BYTES;
using Counts = Vec<uint8_t>;

struct Codes {  // of one node, 32 signals
  Bytes part[kParts];
};

struct Found {
  alignas(32) int8_t code[kTile];
  alignas(32) int32_t below[kTile];
  alignas(32) int32_t upto[kTile];
};

[[gnu::always_inline]] inline Counts count_below(const Codes* codes, int64_t n, int part,
                                                 Bytes bound) {
  Counts even{}, odd{};  // of at most 255 codes: a byte holds the count
  int64_t j = 0;
  for (; j + 4 <= n; j += 4) {
    even -= Counts(codes[j].part[part] < bound) + Counts(codes[j + 1].part[part] < bound);
    odd -=
        Counts(codes[j + 2].part[part] < bound) + Counts(codes[j + 3].part[part] < bound);
  }
  for (; j < n; ++j)
    even -= Counts(codes[j].part[part] < bound);
  return even + odd;
}

// Rows of at most 255 nodes: all counts stay in vectors of bytes.
inline void bisect_short(const Codes* codes, int64_t n, const int32_t* positions,
                         int bits, Found* found) {
  const Counts flip = fill<uint8_t>(128);
  int8_t limits[kTile];
  for (int l = 0; l < kTile; ++l)
    limits[l] = static_cast<int8_t>(positions[l] - 128);
  for (int part = 0; part < kParts; ++part) {
    const Bytes limit = load(limits + part * VICINAL_VECTOR_BYTES);
    Counts code = flip, below{}, upto = fill<uint8_t>(static_cast<uint8_t>(n));
    for (int bit = bits - 1; bit >= 0; --bit) {
      const Counts bound = code + fill<uint8_t>(static_cast<uint8_t>(1 << bit));
      const Counts count = count_below(codes, n, part, Bytes(bound));
      const Bytes fits = Bytes(count ^ flip) <= limit;
      code = fits ? bound : code;
      below = fits ? count : below;
      upto = fits ? upto : count;
    }
    memcpy(found->code + part * sizeof code, &code, sizeof code);
    uint8_t lows[VICINAL_VECTOR_BYTES], tops[VICINAL_VECTOR_BYTES];
    memcpy(lows, &below, sizeof below);
    memcpy(tops, &upto, sizeof upto);
    for (int l = 0; l < VICINAL_VECTOR_BYTES; ++l) {
      found->below[part * VICINAL_VECTOR_BYTES + l] = lows[l];
      found->upto[part * VICINAL_VECTOR_BYTES + l] = tops[l];
    }
  }
}

// The same where only the code is asked for, at one position for all signals.
inline void bisect_code(const Codes* codes, int64_t n, int64_t position, int bits,
                        Codes* found) {
  const Counts flip = fill<uint8_t>(128);
  const Bytes limit = fill<int8_t>(static_cast<int8_t>(position - 128));
  for (int part = 0; part < kParts; ++part) {
    Counts code = flip;
    for (int bit = bits - 1; bit >= 0; --bit) {
      const Counts bound = code + fill<uint8_t>(static_cast<uint8_t>(1 << bit));
      const Counts count = count_below(codes, n, part, Bytes(bound));
      code = Bytes(count ^ flip) <= limit ? bound : code;
    }
    found->part[part] = Bytes(code);
  }
}

// Per signal the first slot of a row of at most 255 nodes with the found code.
inline void first_slots_short(const Codes* codes, int64_t n, const Codes& found,
                              uint8_t* slots) {
  for (int part = 0; part < kParts; ++part) {
    Counts slot{};
    for (int64_t j = n - 1; j >= 0; --j)
      slot = codes[j].part[part] == found.part[part] ? fill<uint8_t>(uint8_t(j)) : slot;
    memcpy(slots + part * VICINAL_VECTOR_BYTES, &slot, sizeof slot);
  }
}

inline void count_below_long(const Codes* codes, int64_t n, const int8_t* bounds,
                             int32_t* counts) {
  memset(counts, 0, kTile * sizeof *counts);
  for (int64_t begin = 0; begin < n; begin += 252) {
    const int64_t size = least<int64_t>(252, n - begin);
    for (int part = 0; part < kParts; ++part) {
      const Bytes bound = load(bounds + part * VICINAL_VECTOR_BYTES);
      const Counts some = count_below(codes + begin, size, part, bound);
      uint8_t lanes[VICINAL_VECTOR_BYTES];
      memcpy(lanes, &some, sizeof some);
      for (int l = 0; l < VICINAL_VECTOR_BYTES; ++l)
        counts[part * VICINAL_VECTOR_BYTES + l] += lanes[l];
    }
  }
}

inline void bisect_long(const Codes* codes, int64_t n, const int32_t* positions, int bits,
                        Found* found) {
  alignas(32) int8_t bounds[kTile];
  alignas(32) int32_t counts[kTile];
  for (int l = 0; l < kTile; ++l) {
    found->code[l] = -128;
    found->below[l] = 0;
    found->upto[l] = static_cast<int32_t>(n);
  }
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (int l = 0; l < kTile; ++l)
      bounds[l] = static_cast<int8_t>(found->code[l] + (1 << bit));
    count_below_long(codes, n, bounds, counts);
    for (int l = 0; l < kTile; ++l) {
      const bool fits = counts[l] <= positions[l];
      found->code[l] = fits ? bounds[l] : found->code[l];
      found->below[l] = fits ? counts[l] : found->below[l];
      found->upto[l] = fits ? found->upto[l] : counts[l];
    }
  }
}

// `positions` has one entry per signal; codes are below 2^bits.
inline void bisect(const Codes* codes, int64_t n, const int32_t* positions, int bits,
                   Found* found) {
  if (n <= 255)
    bisect_short(codes, n, positions, bits, found);
  else
    bisect_long(codes, n, positions, bits, found);
}

// The same position for every signal.
inline void bisect(const Codes* codes, int64_t n, int64_t position, int bits,
                   Found* found) {
  int32_t positions[kTile];
  for (int l = 0; l < kTile; ++l)
    positions[l] = static_cast<int32_t>(position);
  bisect(codes, n, positions, bits, found);
}

// Per signal the first slot of the row with the found code (which is there).
inline void first_slots(const Codes* codes, int64_t n, const int8_t* found,
                        int32_t* slots) {
  for (int64_t end = n; end > 0;) {
    const int64_t begin = end > 255 ? end - 255 : 0;
    for (int part = 0; part < kParts; ++part) {
      const Bytes code = load(found + part * VICINAL_VECTOR_BYTES);
      Counts slot = fill<uint8_t>(255);
      for (int64_t j = end - 1; j >= begin; --j)
        slot = codes[j].part[part] == code ? fill<uint8_t>(uint8_t(j - begin)) : slot;
      uint8_t lanes[VICINAL_VECTOR_BYTES];
      memcpy(lanes, &slot, sizeof slot);
      int32_t* to = slots + part * VICINAL_VECTOR_BYTES;
      for (int l = 0; l < VICINAL_VECTOR_BYTES; ++l)
        to[l] = lanes[l] == 255 ? to[l] : static_cast<int32_t>(begin + lanes[l]);
    }
    end = begin;
  }
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
