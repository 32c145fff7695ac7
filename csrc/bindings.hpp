// What the parts of the Python module share: the active kernels, and the choice of a type.
#pragma once

#include "arrays.hpp"

namespace vicinal {

const KernelSet& active();  // asked once: VICINAL_ISA and the processor decide

template <typename F>
void dispatch(const char* name, const In& x, F&& body) {
  if (is_double(name, x))
    body(active().float64, double{});
  else
    body(active().float32, float{});
}

void define_select(nb::module_& m);
void define_nodes(nb::module_& m);
void define_graph(nb::module_& m);

}  // namespace vicinal
