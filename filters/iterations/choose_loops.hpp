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

// Loops that were found among the calls of one call.
struct CallWithLoops {
  std::vector<Loop> loops;  // by time, apart; their scores are shares of their work
  std::uint64_t ticks = 0;  // in the call
  std::uint64_t calls = 0;  // that were entered while it was open
};

// What a process did: what the shares of loops refer to.
struct ProcessWork {
  std::uint64_t ticks = 0;  // without calls that are made once and call nothing, as MPI_Init
  std::uint64_t calls = 0;

  // The share of the time and of the calls, mean of both.
  double compute_share(std::uint64_t of_ticks, std::uint64_t of_calls) const;
};

// Calls with a smaller share of the work are not searched for loops.
inline constexpr double least_work_of_call = 0.05;

// The loops that count, where calls with loops are in others, by time. An outer loop stands only
// if it explains nearly as much as the loops in it do together: commands that a program reads,
// one of which runs the time steps, are not its main loop.
std::vector<Loop> choose_nested_loops(std::vector<CallWithLoops> calls, const ProcessWork& process);

// A found loop does not count if its work is less than this share of its process's, or less than
// this share of its process's largest loop. In a group the mean over its processes decides, so
// that they do not differ (see align_loops.hpp).
inline constexpr double least_share = 0.05;
inline constexpr double least_share_of_largest = 0.25;

// Where loops overlap, only the one that takes the most time is left, which is the outermost. The
// result is sorted by time.
std::vector<Loop> choose_outermost_loops(std::vector<Loop> candidates);

// The loops of one process: those that were asked for or are marked, if there are any, else
// the found ones that may count. `first_time` and `last_time` are of its records, in ticks.
ProcessLoops choose_process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                                  std::uint64_t first_time, std::uint64_t last_time);

}  // namespace tracefold
