// Knows which locations a thread would still read when little is left for the others
// to begin: those that a pass had better read in parts. Any number of threads may ask.
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
      : events_(std::move(events)),
        threads_(threads),
        to_begin_(std::accumulate(events_.begin(), events_.end(), std::uint64_t{0})) {}

  // Call once for each location, where it is begun. Whether it is one of the last:
  // none is left, or less for each of the other threads than it holds.
  bool begin(std::size_t i) {
    const auto left = to_begin_ -= events_[i];
    return threads_ > 1 && (left == 0 || events_[i] > left / (threads_ - 1));
  }

 private:
  const std::vector<std::uint64_t> events_;
  const std::size_t threads_;
  std::atomic<std::uint64_t> to_begin_;
};

}  // namespace tracefold
