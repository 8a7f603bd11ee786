// Chooses the loops of one process that count.
//
// Thread-safe, deterministic.
//
// Source: dynamics 3 (loops need not be the same on every process).
#pragma once

#include "model/iterations/loops.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// A found loop does not count if it takes less than this share of the time from a process's
// first to its last record, or less than this share of its process's largest loop. In a group
// the mean over its processes decides, so that they do not differ (see align_loops.hpp).
inline constexpr double least_share = 0.05;
inline constexpr double least_share_of_largest = 0.25;

// Of loops that overlap the one that takes the most time, which is the outermost. By time.
std::vector<Loop> choose_outermost_loops(std::vector<Loop> candidates);

// The loops of one process: those that were asked for or are marked, if there are any, else
// the found ones that may count. `first_time` and `last_time` are of its records, in ticks.
ProcessLoops choose_process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                                  std::uint64_t first_time, std::uint64_t last_time);

}  // namespace tracefold
