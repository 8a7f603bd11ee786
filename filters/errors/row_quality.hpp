// What rows hide of the processes that they stand for, and whether they are typical of these, by
// useful time: computation without files, OpenMP's own time and waits for accelerators. Pure
// functions.
//
// Source: docs/science.md, "Which rows stay" (hidden, typical).
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/intent.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace tracefold {

// A difference of useful time between a process and its row, in ticks.
struct RowDifference {
  std::size_t process = 0;
  std::optional<FunctionIndex> function = {};  // none: in all together
  bool is_longer = false;                      // the process takes longer
  std::uint64_t ticks = 0;                     // 0: there is none

  // The larger one; of equal ones that of the first process.
  bool is_before(const RowDifference& other) const {
    return std::tuple(other.ticks, process) < std::tuple(ticks, other.process);
  }
};
auto list_members(Like<RowDifference> auto& difference) {
  return std::tie(difference.process, difference.function, difference.is_longer, difference.ticks);
}

// Adds up how long a process and its row compute in each function. One thread at a time.
class RowComparison {
 public:
  void add(FunctionIndex function, std::uint64_t own, std::uint64_t standing);
  // In all functions together, or in the one that has four fifths of it or more; forgets what was
  // added.
  RowDifference take(std::size_t process);

 private:
  struct Times {
    std::uint64_t own = 0, standing = 0;
  };
  std::vector<Times> times_;  // by function; 0 but for those that were added
  std::vector<FunctionIndex> added_;
  Times all_;
};

// Of a process, in ticks.
struct RowTimes {
  std::uint64_t useful = 0, waiting = 0;
};
auto list_members(Like<RowTimes> auto& times) {
  return std::tie(times.useful, times.waiting);
}

// Rows that stand for others, and lie more than `least` ticks outside of the middle half of these
// and themselves: fewer than a quarter of them take as much, or as little. By one of the times; the
// rows are ascending.
std::vector<std::size_t> list_untypical(const std::vector<std::size_t>& stand_ins,
                                        const std::vector<RowTimes>& times,
                                        std::uint64_t RowTimes::*time, double least);

}  // namespace tracefold
