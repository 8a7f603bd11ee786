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

// Calls body(k) for each k below `count`, each as a task of its own. An exception from a task ends
// the loop and is rethrown here.
void for_each_index(std::size_t count, FunctionRef<void(std::size_t)> body);

// The same for a loop inside a task of another loop. While this thread waits for the inner loop, it
// does not start a task of the outer one.
void for_each_index_isolated(std::size_t count, FunctionRef<void(std::size_t)> body);

}  // namespace tracefold
