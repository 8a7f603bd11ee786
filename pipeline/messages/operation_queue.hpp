// The operations of one location in the order of their begins, if completion decides what they are:
// operations that begin behind an open one wait until it completes.
//
// One thread at a time. Memory: the waiting operations, and up to as many others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Operations have `bool is_open() const`, and are numbered 0, 1, 2, … as they are added.
template <class Operation>
class OperationQueue {
 public:
  bool empty() const { return operations_.empty(); }
  std::uint64_t next_number() const { return first_ + operations_.size(); }
  // The number of operations from the oldest open one on.
  std::size_t count_waiting() const { return operations_.size() - front_; }

  Operation& add() { return operations_.emplace_back(); }
  // A waiting operation.
  Operation& operator[](std::uint64_t number) { return operations_[number - first_]; }
  Operation& oldest() { return operations_[front_]; }

  // Calls take(operation) for those that no longer wait, the oldest first.
  template <class Take>
  void release(Take&& take) {
    while (front_ < operations_.size() && !operations_[front_].is_open())
      take(operations_[front_++]);

    // Frees room when that costs less than what was done since, but not for a few operations.
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
  std::size_t front_ = 0;    // index in operations_ of the first that waits
  std::uint64_t first_ = 0;  // number of the first in operations_
};

}  // namespace tracefold
