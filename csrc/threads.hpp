// Threads for one call.
//
// `body(context, chunk)` runs once for every chunk in 0 .. chunks - 1; idle threads take
// the next one. The caller takes part. The first exception of any worker is rethrown
// here. A forked child of the process that loaded this library works alone.
//
// The threads are those of the OpenMP runtime that torch has loaded, looked up by name:
// a pool of our own would fight with it for the cores, as its idle threads keep looking
// for work. Where there is none, threads are started for the call; one that cannot be
// started is done without.
#pragma once

#include <cstdint>

namespace vicinal {

using Body = void (*)(void* context, int64_t chunk);

void run_chunks(int threads, int64_t chunks, Body body, void* context);

}  // namespace vicinal
