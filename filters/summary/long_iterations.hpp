// Iterations that take longer than usual: some that stand out, later ones more and more, or the
// first ones, until they have become faster. Times are in ticks. Pure.
#pragma once

#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// How iterations take longer.
enum class LongKind : std::uint8_t {
  some,    // some stand out
  slower,  // they become slower: nearly each later one, or all from one on
  faster,  // they become faster: nearly each later one, or all from one on
};

struct LongIterations {
  double share = 0;  // of the time of the loops
  LongKind kind = LongKind::some;
  // Of iterations that change at one of them: it; 0 where they change gradually.
  std::size_t change_at = 0;
  std::size_t loop = 0, first = 0, last = 0, count = 0;
  // Of one that takes long, and of one that does not: the last and the first ones of those that
  // become slower, the first and the last ones of those that become faster.
  double value = 0, usual = 0;
  double computation = 0, most = 0;  // of the first one, mean and slowest rank
  std::size_t slowest = 0;
};

// Of the loop of which they cost most; with a share of 0 where none take longer.
LongIterations find_long_iterations(const std::vector<IterationTimes>& loops);

}  // namespace tracefold
