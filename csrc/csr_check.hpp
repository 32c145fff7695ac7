// Is a CSR structure one that loops survive? Asked on every call, so it must be quick.
//
// Within a row ids must increase. Whether entry e + 1 fails to exceed entry e is counted
// over all entries at once, without looking where rows begin, and then only where rows
// begin: the two counts agree if and only if no row is at fault.
#pragma once

#include "plan.hpp"

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

enum CsrFault { kSound, kEnds, kNegativeRow, kOutOfRange, kNotIncreasing };

struct Entries {
  uint32_t largest = 0;  // a negative id is a large one
  int64_t falls = 0;
};

inline Entries look_at_entries(const int32_t* indices, int64_t begin, int64_t end,
                               int64_t size) {
  Entries seen;
  for (int64_t block = begin; block < end; block += 4096) {
    const int64_t stop = least(block + 4096, end), pairs = least(stop, size - 1);
    uint32_t largest = seen.largest;
    int32_t falls = 0;
    for (int64_t e = block; e < stop; ++e)
      largest = most(largest, static_cast<uint32_t>(indices[e]));
    for (int64_t e = block; e < pairs; ++e)
      falls += indices[e + 1] <= indices[e];
    seen.largest = largest;
    seen.falls += falls;
  }
  return seen;
}

// Whether all ids are in -1 .. num_nodes - 1.
inline bool are_nodes(const int32_t* ids, int64_t size, int64_t num_nodes) {
  uint32_t largest = 0;
  for (int64_t i = 0; i < size; ++i)
    largest = most(largest, static_cast<uint32_t>(ids[i]) + 1);
  return largest <= static_cast<uint64_t>(num_nodes);
}

inline int csr_check(Csr csr, int64_t num_indices, int64_t num_columns, int threads) {
  const int64_t* indptr = csr.indptr;
  if (indptr[0] != 0 || indptr[csr.num_rows] != num_indices)
    return kEnds;
  bool negative = false;
  for (int64_t row = 0; row < csr.num_rows; ++row)
    negative |= indptr[row + 1] < indptr[row];
  if (negative)
    return kNegativeRow;
  constexpr int64_t pieces = 16;
  Entries parts[pieces];
  threads = worth(0.3 * static_cast<double>(num_indices), threads);
  parallel(threads, pieces, [&](int64_t piece) {
    parts[piece] = look_at_entries(csr.indices, num_indices * piece / pieces,
                                   num_indices * (piece + 1) / pieces, num_indices);
  });
  int64_t falls = 0;
  for (const Entries& part : parts) {
    falls += part.falls;
    if (num_indices > 0 && part.largest >= static_cast<uint64_t>(num_columns))
      return kOutOfRange;
  }
  for (int64_t row = 1; row < csr.num_rows; ++row) {
    const int64_t at = indptr[row];
    if (at != indptr[row - 1] && at < num_indices)
      falls -= csr.indices[at] <= csr.indices[at - 1];
  }
  return falls == 0 ? kSound : kNotIncreasing;
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
