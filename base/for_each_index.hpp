// The parallel loop of all passes.
//
// Example: for_each_index(locations.size(), [&](std::size_t k) { read(locations[k]); });
#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <memory>

namespace tracefold {

// How many threads a parallel loop may have.
std::size_t count_threads();

// While it lives, parallel loops have no more threads.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

// Calls body(k) for each k below the count, each a task of its own. What one throws ends the loop
// and is thrown here.
void for_each_index(std::size_t count, FunctionRef<void(std::size_t)> body);

// The same, inside a task of another loop: while this thread waits for the others, it
// does not begin a task of that loop.
void for_each_index_isolated(std::size_t count, FunctionRef<void(std::size_t)> body);

}  // namespace tracefold
