// Vectors of the width of the instruction set, by GCC vector extensions, and buffers.
//
// Every header below this one puts all it defines into VICINAL_ISA_NAMESPACE and calls
// no template of the standard library: an inline function that both instruction sets
// emit would be merged by the linker, and an old processor could meet AVX2 code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "api.hpp"
#include "pages.hpp"
#include "threads.hpp"

#ifndef VICINAL_ISA_NAMESPACE
#define VICINAL_ISA_NAMESPACE baseline
#endif

#ifdef __AVX2__
#define VICINAL_VECTOR_BYTES 32
#else
#define VICINAL_VECTOR_BYTES 16
#endif

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {

template <typename T>
struct Lane;  // an integer as wide as T, and its unsigned twin
template <>
struct Lane<float> {
  using Int = int32_t;
  using Bits = uint32_t;
};
template <>
struct Lane<double> {
  using Int = int64_t;
  using Bits = uint64_t;
};

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(VICINAL_VECTOR_BYTES)));
};
template <typename T>
using Vec = typename VectorOf<T>::type;
template <typename T>
using IntVec = Vec<typename Lane<T>::Int>;
using Bytes = Vec<int8_t>;

template <typename T>
constexpr int kWidth = VICINAL_VECTOR_BYTES / sizeof(T);  // lanes of a vector
constexpr int kTile = 32;  // signals that are handled together
constexpr int kMinFeatures = 8;  // narrower signals are packed (pack.hpp)

template <typename T>
inline Vec<T> load(const T* from) {
  Vec<T> v;
  memcpy(&v, from, sizeof v);
  return v;
}

template <typename T>
inline void store(T* to, const Vec<T>& v) {
  memcpy(to, &v, sizeof v);
}

template <typename T>
inline Vec<T> fill(T value) {
  return Vec<T>{} + value;  // any value but -0.0
}

// The smaller and the larger of two vectors. On x86 by name: GCC takes seconds to see
// through long chains of `a < b ? a : b`.
#if defined(__AVX2__)
inline Vec<float> smaller(Vec<float> a, Vec<float> b) {
  return __builtin_ia32_minps256(a, b);
}
inline Vec<float> larger(Vec<float> a, Vec<float> b) {
  return __builtin_ia32_maxps256(a, b);
}
inline Vec<double> smaller(Vec<double> a, Vec<double> b) {
  return __builtin_ia32_minpd256(a, b);
}
inline Vec<double> larger(Vec<double> a, Vec<double> b) {
  return __builtin_ia32_maxpd256(a, b);
}
#elif defined(__SSE2__)
inline Vec<float> smaller(Vec<float> a, Vec<float> b) {
  return __builtin_ia32_minps(a, b);
}
inline Vec<float> larger(Vec<float> a, Vec<float> b) {
  return __builtin_ia32_maxps(a, b);
}
inline Vec<double> smaller(Vec<double> a, Vec<double> b) {
  return __builtin_ia32_minpd(a, b);
}
inline Vec<double> larger(Vec<double> a, Vec<double> b) {
  return __builtin_ia32_maxpd(a, b);
}
#else
template <typename V>
inline V smaller(V a, V b) {
  return a < b ? a : b;
}
template <typename V>
inline V larger(V a, V b) {
  return a > b ? a : b;
}
#endif

// As many values as a vector of double has lanes, as double. By name for the same reason.
inline Vec<double> widen(const float* from) {
#if defined(__AVX2__)
  typedef float Half __attribute__((vector_size(16)));
  Half some;
  memcpy(&some, from, sizeof some);
  return __builtin_ia32_cvtps2pd256(some);
#else
  return Vec<double>{from[0], from[1]};
#endif
}
inline Vec<double> widen(const double* from) {
  return load(from);
}

// Node ids travel as wide as the values; this writes them as int32.
inline void store_ids(int32_t* to, Vec<int32_t> ids) {
  memcpy(to, &ids, sizeof ids);
}
inline void store_ids(int32_t* to, Vec<int64_t> ids) {
  for (int l = 0; l < kWidth<int64_t>; ++l)
    to[l] = static_cast<int32_t>(ids[l]);
}

template <typename T>
inline T least(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
inline T most(T a, T b) {
  return a < b ? b : a;
}

template <typename T>
inline typename Lane<T>::Bits bits_of(T value) {
  typename Lane<T>::Bits bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Uninitialised memory, aligned to cache lines; grows, never shrinks.
template <typename T>
class Buffer {
 public:
  explicit Buffer(int64_t size = 0) { reserve(size); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }
  void reserve(int64_t size) {  // forgets what was there
    if (size <= size_)
      return;
    release();
    data_ = static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t{64}));
    ask_for_large_pages(data_, size * sizeof(T));
    size_ = size;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int64_t i) { return data_[i]; }

 private:
  void release() {
    if (data_)
      ::operator delete(data_, std::align_val_t{64});
    data_ = nullptr;
    size_ = 0;
  }
  T* data_ = nullptr;
  int64_t size_ = 0;
};

// Run `body(chunk)` for every chunk; a lambda in, a plain pointer out.
template <typename F>
inline void parallel(int threads, int64_t chunks, F&& body) {
  using Callable = std::remove_reference_t<F>;
  run_chunks(
      threads, chunks,
      [](void* context, int64_t chunk) { (*static_cast<Callable*>(context))(chunk); },
      &body);
}

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
