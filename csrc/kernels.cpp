// All kernels for one instruction set. Compiled once per set, with its own
// VICINAL_ISA_NAMESPACE and compiler flags; `kernel_set` is the only way in.
#include "backward.hpp"
#include "ball_select.hpp"
#include "csr_check.hpp"
#include "maxima.hpp"
#include "polynomial.hpp"
#include "scatter.hpp"
#include "select.hpp"

#define VICINAL_TEXT_OF(name) #name
#define VICINAL_TEXT(name) VICINAL_TEXT_OF(name)

namespace vicinal {
namespace VICINAL_ISA_NAMESPACE {
namespace {

template <typename T>
constexpr Kernels<T> kernels() {
  return {&select<T>,           &select_balls<T>, &maxima<T>,  &scatter<T>, &gather<T>,
          &combine_backward<T>, &product<T>, &powers<T>, &horner<T>};
}

}  // namespace

extern const KernelSet kernel_set = {VICINAL_TEXT(VICINAL_ISA_NAMESPACE),
                                     kernels<float>(),
                                     kernels<double>(),
                                     {&csr_check, &ball_sizes, &balls, &are_nodes}};

}  // namespace VICINAL_ISA_NAMESPACE
}  // namespace vicinal
