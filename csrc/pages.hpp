// Large pages for results and scratch memory of many megabytes.
//
// Fresh memory comes page by page, at up to a microsecond each: more than the loops need
// to fill it. Asked before the first touch, Linux gives pages of 2 MB instead. Only a
// hint: where it is not heard, nothing changes.
#pragma once

#include <cstddef>

namespace vicinal {

void ask_for_large_pages(void* data, size_t bytes);

}  // namespace vicinal
