#include "threads.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace vicinal {
namespace {

const pid_t kHome = getpid();

// What compilers call for `#pragma omp parallel`: runs the function on every thread.
using Team = void (*)(void (*function)(void*), void* data, unsigned threads,
                      unsigned flags);

Team team() {
  static const Team found =
      reinterpret_cast<Team>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
  return found;
}

struct Work {
  int64_t chunks;
  Body body;
  void* context;
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;

  void run() {
    try {
      for (int64_t chunk; (chunk = next.fetch_add(1)) < chunks;)
        body(context, chunk);
    } catch (...) {
      std::lock_guard<std::mutex> guard(failure_lock);
      failure = std::current_exception();
      next = chunks;
    }
  }
};

void run_on_own_threads(Work* work, int threads) {
  std::vector<std::thread> helpers;
  helpers.reserve(threads - 1);
  for (int i = 1; i < threads; ++i) {
    try {
      helpers.emplace_back([work] { work->run(); });
    } catch (const std::system_error&) {
      break;
    }
  }
  work->run();
  for (auto& helper : helpers)
    helper.join();
}

}  // namespace

void run_chunks(int threads, int64_t chunks, Body body, void* context) {
  if (threads > chunks)
    threads = static_cast<int>(chunks);
  Work work{chunks, body, context};
  if (threads <= 1 || getpid() != kHome)
    work.run();
  else if (const Team run = team())
    run([](void* data) { static_cast<Work*>(data)->run(); }, &work, threads, 0);
  else
    run_on_own_threads(&work, threads);
  if (work.failure)
    std::rethrow_exception(work.failure);
}

}  // namespace vicinal
