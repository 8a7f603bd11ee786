// What processes did in each iteration, without call paths: the sums of all columns, of all
// processes together, and of each of them for as long as memory lasts, so that its events need not
// be read again.
//
// Iterations are numbered through all loops. Memory: for each column and iteration 8 bytes for the
// sums of all, and 16 for each process that is held. The sums of all end at 2^64 - 1. They do not
// depend on the order in which processes are added.
#pragma once

#include "filters/iterations/profile_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace tracefold {

class IterationTotals {
 public:
  // The bytes are those for processes that are held.
  IterationTotals(std::size_t iterations, std::size_t columns, std::uint64_t most_bytes);

  // Of the sums of all.
  static std::uint64_t count_bytes(std::size_t iterations, std::size_t columns) {
    return std::uint64_t{iterations} * columns * sizeof(std::uint64_t);
  }

  // Before its first iteration. Not while others are added.
  void expect(std::size_t process);

  // Each iteration of a process once, by one thread; of different processes at the same time.
  void add(std::size_t process, std::size_t iteration, std::span<const Wide> sums);

  // The sums of all processes, iteration by iteration, of `count` of them from `first` on.
  std::vector<double> list_totals(std::size_t first, std::size_t count) const;

  bool holds(std::size_t process) const { return held_.contains(process); }

  // Calls visit(iteration, sums) for all iterations of a process that is held.
  template <class Visit>
  void visit(std::size_t process, Visit&& visit) const {
    const auto& sums = held_.at(process);
    for (std::size_t i = 0; i < iterations_; ++i)
      visit(i, std::span(sums).subspan(i * columns_, columns_));
  }

 private:
  std::size_t iterations_, columns_, most_held_;
  std::vector<std::uint64_t> totals_;              // by iteration and column
  std::map<std::size_t, std::vector<Wide>> held_;  // by process, likewise
  std::array<std::mutex, 64> locks_;               // of every 64th iteration of totals_
};

}  // namespace tracefold
