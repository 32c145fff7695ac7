// Threads for one call: no pool, no state, nothing to break in a forked child.
//
// `body(context, chunk)` runs once for every chunk in 0 .. chunks - 1; idle
// threads take the next one. The caller takes part. The first exception
// of any worker is rethrown here; a thread that cannot be started is done without.
#pragma once

#include <cstdint>

namespace vicinal {

using Body = void (*)(void* context, int64_t chunk);

void run_chunks(int threads, int64_t chunks, Body body, void* context);

}  // namespace vicinal
