// Iterations that take longer than usual: some that stand out, or later ones more and more. Times
// are in ticks. Pure.
#pragma once

#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct LongIterations {
  double share = 0;  // of the time of the loops
  bool is_trend = false;
  std::size_t loop = 0, first = 0, last = 0, count = 0;
  double value = 0, usual = 0;
  double computation = 0, most = 0;  // of the first one, mean and slowest rank
  std::size_t slowest = 0;
};

// Of the loop of which they cost most; with a share of 0 where none take longer.
LongIterations find_long_iterations(const std::vector<IterationTimes>& loops);

}  // namespace tracefold
