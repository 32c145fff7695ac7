// The rank of a row, found on byte codes: 32 signals at a time, one bit per pass.
//
// A code is any nondecreasing function of the value, 0 .. 255, stored less 128 so that
// signed comparisons order it. `bisect` finds per signal the code of the value at
// `position`, how many codes are below it and how many are not above it. The position
// is then sought among the few values that share the code (candidates.hpp).
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
inline void bisect_short(const Codes* codes, int64_t n, int64_t position, int bits,
                         Found* found) {
  const Counts flip = fill<uint8_t>(128);
  const Bytes limit = Bytes(fill<uint8_t>(static_cast<uint8_t>(position)) ^ flip);
  for (int part = 0; part < kParts; ++part) {
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
    for (int l = 0; l < VICINAL_VECTOR_BYTES; ++l) {
      found->below[part * VICINAL_VECTOR_BYTES + l] = below[l];
      found->upto[part * VICINAL_VECTOR_BYTES + l] = upto[l];
    }
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

inline void bisect_long(const Codes* codes, int64_t n, int64_t position, int bits,
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
      const bool fits = counts[l] <= position;
      found->code[l] = fits ? bounds[l] : found->code[l];
      found->below[l] = fits ? counts[l] : found->below[l];
      found->upto[l] = fits ? found->upto[l] : counts[l];
    }
  }
}

inline void bisect(const Codes* codes, int64_t n, int64_t position, int bits,
                   Found* found) {
  if (n <= 255)
    bisect_short(codes, n, position, bits, found);
  else
    bisect_long(codes, n, position, bits, found);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
