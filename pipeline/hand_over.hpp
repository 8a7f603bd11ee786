// Tells ThreadSanitizer what oneTBB as packaged, which is not built for it, does not:
// that tasks begin after what was before their loop, and end before what follows.
// Nothing in other builds.
#pragma once

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

}  // namespace tracefold
