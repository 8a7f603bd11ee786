// The operations of one location in the order in which they were begun, for those whose meaning is
// known only when they complete: what is begun behind an open one waits until that completes.
//
// One thread at a time. Memory: what waits, and up to as much that does so no longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Operations have `bool is_open() const`. They are numbered 0, 1, 2, … as they are added.
template <class Operation>
class OperationQueue {
 public:
  bool empty() const { return operations_.empty(); }
  std::uint64_t next_number() const { return first_ + operations_.size(); }
  // The number of operations from the oldest open one on.
  std::size_t count_waiting() const { return operations_.size() - front_; }

  Operation& add() { return operations_.emplace_back(); }
  // One that waits.
  Operation& operator[](std::uint64_t number) { return operations_[number - first_]; }
  Operation& oldest() { return operations_[front_]; }

  // Calls take(operation) for those that wait no longer, from the oldest on.
  template <class Take>
  void release(Take&& take) {
    while (front_ < operations_.size() && !operations_[front_].is_open())
      take(operations_[front_++]);

    // Room is made where that takes less than what was done since, and is not for a few.
    constexpr std::size_t few = 8;
    if (front_ == operations_.size() || (front_ >= few && 2 * front_ >= operations_.size())) {
      first_ += front_;
      operations_.erase(operations_.begin(),
                        operations_.begin() + static_cast<std::ptrdiff_t>(front_));
      front_ = 0;
    }
  }

 private:
  std::vector<Operation> operations_;
  std::size_t front_ = 0;    // in operations_: the first that waits
  std::uint64_t first_ = 0;  // number of the first in operations_
};

}  // namespace tracefold
