// The Python module `_native`: array views in and out, checked; nothing else.
#include "bindings.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include <nanobind/stl/string.h>

namespace vicinal {

namespace baseline {
extern const KernelSet kernel_set;
}
#ifdef VICINAL_AVX2
namespace avx2 {
extern const KernelSet kernel_set;
}
#endif

namespace {

const KernelSet& choose() {
#ifdef VICINAL_AVX2
  const char* forced = std::getenv("VICINAL_ISA");
  const bool slow = forced && std::strcmp(forced, "baseline") == 0;
  __builtin_cpu_init();
  if (!slow && __builtin_cpu_supports("avx2"))
    return avx2::kernel_set;
#endif
  return baseline::kernel_set;
}

}  // namespace

const KernelSet& active() {
  static const KernelSet& set = choose();
  return set;
}

}  // namespace vicinal

NB_MODULE(_native, m) {
  m.def("isa", [] { return std::string(vicinal::active().isa); });
  vicinal::define_select(m);
  vicinal::define_nodes(m);
  vicinal::define_graph(m);
}
