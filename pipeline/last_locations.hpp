// Knows which locations a thread would still read when the others find no more to
// begin: those that a pass had better read in parts. Any number of threads may ask.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tracefold {

class LastLocations {
 public:
  // How many events each location has, or is said to have, and how many threads read.
  LastLocations(std::vector<std::uint64_t> events, std::size_t threads)
      : events_(std::move(events)), threads_(threads), to_begin_(std::accumulate(events_.begin(), events_.end(), std::uint64_t{0})) {}

  // Whether the i-th location is one: whether it holds as much as is left for each
  // of the others. Call once for each, where it is begun.
  bool begins(std::size_t i) {
    const auto left = to_begin_ -= events_[i];
    return threads_ > 1 && events_[i] >= left / (threads_ - 1);
  }

 private:
  const std::vector<std::uint64_t> events_;
  const std::size_t threads_;
  std::atomic<std::uint64_t> to_begin_;
};

}  // namespace tracefold
