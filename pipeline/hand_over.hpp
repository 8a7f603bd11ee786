// Tells ThreadSanitizer what oneTBB as packaged, which is not built for it, does not:
// that tasks begin after what was before their loop, and end before what follows.
// Nothing in other builds.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tracefold {

// Made before a parallel loop, and destroyed after it.
class HandOver {
 public:
  HandOver() { release(&begun_); }
  ~HandOver() { acquire(&ended_); }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  // Lives as long as a task of the loop.
  class Task {
   public:
    explicit Task(HandOver& loop) : loop_(loop) { acquire(&loop_.begun_); }
    ~Task() { release(&loop_.ended_); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    HandOver& loop_;
  };

 private:
#if defined(__SANITIZE_THREAD__)
  static void release(void* at) { __tsan_release(at); }
  static void acquire(void* at) { __tsan_acquire(at); }
#else
  static void release(void*) {}
  static void acquire(void*) {}
#endif
  char begun_ = 0, ended_ = 0;
};

// Calls body(k) for each k below the count, in parallel.
template <class Body>
void for_each_index(std::size_t count, Body&& body) {
  HandOver loop;
  oneapi::tbb::parallel_for(std::size_t{0}, count, [&loop, &body](std::size_t k) {
    const HandOver::Task task(loop);
    body(k);
  });
}

}  // namespace tracefold
