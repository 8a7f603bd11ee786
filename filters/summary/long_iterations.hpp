// Finds iterations that take longer than usual: single ones, every so many, later ones that get
// slower, or first ones before the loop gets faster. Loops have three iterations at least; those
// of less than eight, and few long ones of more, are told only where they are far apart from the
// others. Times are in ticks. Pure.
#pragma once

#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// How iterations take longer.
enum class LongKind : std::uint8_t {
  some,    // some are outliers, or one of so many is long
  slower,  // they get slower: gradually, or all from one on
  faster,  // they get faster: gradually, or all from one on
};

struct LongIterations {
  double share = 0;  // of the time of the loops
  LongKind kind = LongKind::some;
  // The iteration at which they change; 0: gradually.
  std::size_t change_at = 0;
  std::size_t loop = 0, first = 0, last = 0, count = 0;
  std::size_t every = 0;  // long is each so many behind the first one; 0: there is no such number
  // The time of a long iteration and of a usual one: of the last and the first if they get slower,
  // of the first and the last if they get faster; where that is gradual, as find_end() has them.
  double value = 0, usual = 0;
  double computation = 0, most = 0;  // computation of the first one: mean, slowest rank
  std::size_t slowest = 0;
  std::vector<std::size_t> ranks = {};  // that have the loop; empty: not known
};

// Looks at the loop in which they cost most. The share is 0 if there are none.
LongIterations find_long_iterations(const std::vector<IterationTimes>& loops);

// The same of one loop, by its iterations: which are long, and how long each would be otherwise.
struct LongTimes {
  LongIterations found;
  std::vector<std::size_t> which = {};  // ascending
};
LongTimes find_long_times(const std::vector<double>& times);

// How long the first iteration is, or the last one, of times that change bit by bit: where the line
// through two fifths of them at that end (Theil-Sen) begins, since a single one may be an outlier.
double find_end(const std::vector<double>& times, bool of_last);

}  // namespace tracefold
