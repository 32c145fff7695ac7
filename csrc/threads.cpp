#include "threads.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace vicinal {

void run_chunks(int threads, int64_t chunks, Body body, void* context) {
  if (threads <= 1 || chunks <= 1) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      body(context, chunk);
    return;
  }
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  auto work = [&] {
    try {
      for (int64_t chunk; (chunk = next.fetch_add(1)) < chunks;)
        body(context, chunk);
    } catch (...) {
      std::lock_guard<std::mutex> guard(failure_lock);
      failure = std::current_exception();
      next = chunks;
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(threads - 1);
  for (int i = 1; i < threads && i < chunks; ++i) {
    try {
      helpers.emplace_back(work);
    } catch (const std::system_error&) {
      break;
    }
  }
  work();
  for (auto& helper : helpers)
    helper.join();
  if (failure)
    std::rethrow_exception(failure);
}

}  // namespace vicinal
