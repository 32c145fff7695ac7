// Array views as the kernels take them, each checked: shape, dtype, device, layout.
//
// Arrays are C-contiguous and allocated by the caller. A wrong one raises ValueError; CSR
// structures are not searched here, `csr_check` does that.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "api.hpp"
#include "pages.hpp"

namespace vicinal {

namespace nb = nanobind;

using In = nb::ndarray<nb::ro>;
using Out = nb::ndarray<>;
using MaybeOut = std::optional<nb::ndarray<>>;
using Shape64 = std::vector<int64_t>;

[[noreturn]] inline void refuse(const char* name, const std::string& rule) {
  const std::string text = std::string("`") + name + "` must " + rule;
  throw nb::value_error(text.c_str());
}

inline std::string show(const Shape64& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

template <typename Array>
Shape64 shape_of(const Array& array) {
  Shape64 shape;
  for (size_t i = 0; i < array.ndim(); ++i)
    shape.push_back(static_cast<int64_t>(array.shape(i)));
  return shape;
}

template <typename T, typename Array>
T* data(const char* name, const Array& array, const char* dtype) {
  if (array.dtype() != nb::dtype<std::remove_const_t<T>>())
    refuse(name, std::string("be an array of ") + dtype);
  if (array.device_type() != nb::device::cpu::value)
    refuse(name, "be on the CPU");
  int64_t stride = 1;
  for (size_t i = array.ndim(); i-- > 0; stride *= static_cast<int64_t>(array.shape(i)))
    if (array.shape(i) > 1 && array.size() > 0 && array.stride(i) != stride)
      refuse(name, "be C-contiguous");
  return static_cast<T*>(const_cast<void*>(static_cast<const void*>(array.data())));
}

template <typename Array>
void check_shape(const char* name, const Array& array, const Shape64& expected) {
  if (shape_of(array) != expected)
    refuse(name, "have shape " + show(expected) + ", got " + show(shape_of(array)));
}

template <typename T>
constexpr const char* kFloatName = sizeof(T) == 4 ? "float32" : "float64";

template <typename T>
const T* floats(const char* name, const In& array, const Shape64& expected) {
  check_shape(name, array, expected);
  return data<const T>(name, array, kFloatName<T>);
}

template <typename T>
T* result(const char* name, const MaybeOut& array, const Shape64& expected,
          const char* dtype) {
  if (!array)
    return nullptr;
  check_shape(name, *array, expected);
  T* const to = data<T>(name, *array, dtype);
  ask_for_large_pages(to, array->nbytes());
  return to;
}

template <typename T>
T* floats(const char* name, const MaybeOut& array, const Shape64& expected) {
  return result<T>(name, array, expected, kFloatName<T>);
}

inline int32_t* ids(const char* name, const MaybeOut& array, const Shape64& expected) {
  return result<int32_t>(name, array, expected, "int32");
}

inline const int32_t* ids(const char* name, const In& array, const Shape64& expected) {
  check_shape(name, array, expected);
  return data<const int32_t>(name, array, "int32");
}

inline bool is_double(const char* name, const In& array) {
  if (array.dtype() == nb::dtype<double>())
    return true;
  if (array.dtype() != nb::dtype<float>())
    refuse(name, "be an array of float32 or float64");
  return false;
}

inline Csr csr_of(const In& indptr, const In& indices) {
  if (indptr.ndim() != 1 || indptr.shape(0) == 0)
    refuse("indptr", "be a vector of one number more than rows");
  if (indices.ndim() != 1)
    refuse("indices", "be a vector");
  const Csr csr{data<const int64_t>("indptr", indptr, "int64"),
                data<const int32_t>("indices", indices, "int32"),
                static_cast<int64_t>(indptr.shape(0)) - 1};
  if (csr.indptr[0] != 0 ||
      csr.indptr[csr.num_rows] != static_cast<int64_t>(indices.shape(0)))
    refuse("indptr", "start at 0 and end at the number of indices");
  return csr;
}

inline Shape shape3(const char* name, const In& x) {
  if (x.ndim() != 3)
    refuse(name, "have three dimensions (batch, nodes, features), got " +
                     show(shape_of(x)));
  if (x.shape(1) > INT32_MAX)
    refuse(name, "have fewer than 2**31 nodes");
  return {static_cast<int64_t>(x.shape(0)), static_cast<int64_t>(x.shape(1)),
          static_cast<int64_t>(x.shape(2))};
}

inline int64_t hops_of(int64_t hops) {
  if (hops < 0)
    refuse("hops", "be at least 0, got " + std::to_string(hops));
  return hops;
}

using RankTuple = std::tuple<int64_t, int64_t, int64_t>;

inline Rank rank_of(const RankTuple& rank) {
  const auto [numerator, offset, denominator] = rank;
  if (denominator < 1 || denominator > 1000000000 || numerator < 0 ||
      numerator > denominator || offset < 0 || offset >= denominator)
    refuse("rank", "be (numerator, offset, denominator) with 0 <= numerator <= "
                   "denominator <= 10**9 and 0 <= offset < denominator");
  return {numerator, offset, denominator};
}

inline Path path_of(const std::string& name) {
  static const char* const names[] = {"auto", "network", "ranks", "codes", "balls",
                                      "plain"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i])
      return static_cast<Path>(i);
  refuse("path", "be auto, network, ranks, codes, balls or plain, got " + name);
}

// The weight of a combination: (hops + 1,) or (hops + 1, features).
template <typename T>
const T* weight_of(const In& weight, int64_t hops, int64_t features, bool* per_feature) {
  *per_feature = weight.ndim() == 2;
  return floats<T>("weight", weight,
                   *per_feature ? Shape64{hops + 1, features} : Shape64{hops + 1});
}

struct Combination {
  const In* weight;
  const Out* combined;
};

template <typename T>
Output<T> output_of(Shape shape, int64_t rows, int64_t hops, const MaybeOut& values,
                    const MaybeOut& nodes, const Combination* combination) {
  const Shape64 expected{shape.batch, rows, shape.features};
  Output<T> out{floats<T>("values", values, expected), ids("nodes", nodes, expected),
                nullptr, nullptr, false};
  if (combination) {
    out.weight = weight_of<T>(*combination->weight, hops, shape.features,
                              &out.per_feature);
    out.combined = floats<T>("combined", MaybeOut(*combination->combined),
                             {shape.batch, shape.nodes, shape.features});
  }
  return out;
}

}  // namespace vicinal
