// What the bindings and the kernels say to each other: plain records, no functions.
//
// The kernels are compiled once per instruction set, each in a namespace of its own
// (VICINAL_ISA_NAMESPACE). This file, threads.hpp and pages.hpp are the only ones that both
// share with the outside, so they hold nothing the compiler could emit twice.
//
// Signals are C-contiguous (batch, nodes, features). A stack of CSR rows holds `hops`
// groups of equal size; row k * per_hop + i belongs to hop k + 1 of node i.
#pragma once

#include <cstdint>

namespace vicinal {

enum class Path { automatic, network, ranks, codes, balls, plain };

struct Csr {
  const int64_t* indptr;   // (num_rows + 1,), starts at 0, never decreases
  const int32_t* indices;  // node ids, strictly increasing within a row
  int64_t num_rows;
};

// Position (from 0) of the value that is meant among n sorted ones:
// (numerator * (n - 1) + offset) / denominator.
struct Rank {
  int64_t numerator, offset, denominator;
};

struct Shape {
  int64_t batch, nodes, features;
};

// Where results go; any pointer may be null.
template <typename T>
struct Output {
  T* values;         // (batch, hops * per_hop, features)
  int32_t* nodes;    // same shape
  T* combined;       // (batch, per_hop, features): w_0 x + sum_k w_k value_k
  const T* weight;   // (hops + 1,) or (hops + 1, features)
  bool per_feature;  // the second form
};

// How a selection is to be made.
struct Choice {
  Rank rank;
  bool skip_nan;
  Path path;
  int threads;
};

template <typename T>
struct Kernels {
  void (*select)(const T* x, Shape, Csr, int64_t hops, Choice, Output<T>);
  void (*select_balls)(const T* x, Shape, Csr, int64_t hops, const int32_t* centers,
                       int64_t num_centers, Choice, Output<T>);
  void (*maxima)(const T* x, Shape, Csr, int64_t hops, Choice, Output<T>);
  void (*scatter)(const T* grad, const int32_t* nodes, int64_t rows, Shape, int threads,
                  T* grad_x);
  void (*gather)(const T* x, const int32_t* nodes, int64_t rows, Shape, int threads,
                 T* values);
  void (*combine_backward)(const T* grad, const T* x, const int32_t* nodes, int64_t hops,
                           Shape, const T* weight, bool per_feature, int threads,
                           T* grad_x, double* grad_weight);
  void (*product)(const T* x, int64_t num_columns, int64_t columns, Csr,
                  const T* weight, int threads, T* result);
  void (*powers)(const T* x, Shape, Csr, const T* weight, int64_t taps, int threads,
                 T* result);
  void (*horner)(const T* terms, Shape, Csr, const T* weight, int64_t taps, int threads,
                 T* result);
};

struct GraphKernels {
  // 0 sound, 1 wrong ends, 2 negative row length, 3 id out of range, 4 not increasing
  int (*csr_check)(Csr, int64_t num_indices, int64_t num_columns, int threads);
  void (*ball_sizes)(Csr, int64_t hops, bool exact, const int32_t* centers,
                     int64_t num_centers, int threads, int64_t* sizes);
  void (*balls)(Csr, int64_t hops, bool exact, int threads, const int64_t* indptr,
                int32_t* indices);
  bool (*are_nodes)(const int32_t* ids, int64_t size, int64_t num_nodes);
};

struct KernelSet {
  const char* isa;
  Kernels<float> float32;
  Kernels<double> float64;
  GraphKernels graph;
};

}  // namespace vicinal
