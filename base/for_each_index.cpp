#include "base/for_each_index.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tracefold {

namespace {

// The packaged oneTBB is not built for ThreadSanitizer, so in such builds the loop itself reports
// its synchronisation: tasks start after what precedes the loop, and end before what follows it.
// Made before a parallel loop, and destroyed after it.
class TsanHandover {
 public:
  TsanHandover() { release(&begun_); }
  ~TsanHandover() { acquire(&ended_); }
  TsanHandover(const TsanHandover&) = delete;
  TsanHandover& operator=(const TsanHandover&) = delete;

  // Lives as long as a task of the loop.
  class Task {
   public:
    explicit Task(TsanHandover& loop) : loop_(loop) { acquire(&loop_.begun_); }
    ~Task() { release(&loop_.ended_); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    TsanHandover& loop_;
  };

 private:
#if defined(__SANITIZE_THREAD__)
  static void release(void* at) {
    __tsan_release(at);
  }
  static void acquire(void* at) {
    __tsan_acquire(at);
  }
#else
  static void release(void*) {}
  static void acquire(void*) {}
#endif
  char begun_ = 0, ended_ = 0;
};

}  // namespace

std::size_t count_threads() {
  return std::min(static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency()),
                  oneapi::tbb::global_control::active_value(
                      oneapi::tbb::global_control::max_allowed_parallelism));
}

struct ThreadLimit::Control {
  oneapi::tbb::global_control control;
};

ThreadLimit::ThreadLimit(std::size_t threads)
    : control_(new Control{{oneapi::tbb::global_control::max_allowed_parallelism, threads}}) {}

ThreadLimit::~ThreadLimit() = default;

void for_each_index(std::size_t count, FunctionRef<void(std::size_t)> body) {
  TsanHandover loop;
  const auto run = [&loop, &body](std::size_t k) {
    const TsanHandover::Task begun(loop);
    body(k);
  };
  oneapi::tbb::parallel_for(std::size_t{0}, count, run, oneapi::tbb::simple_partitioner{});
}

void for_each_index_isolated(std::size_t count, FunctionRef<void(std::size_t)> body) {
  oneapi::tbb::this_task_arena::isolate([&] { for_each_index(count, body); });
}

}  // namespace tracefold
