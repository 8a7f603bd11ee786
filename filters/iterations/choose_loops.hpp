// Chooses the loops of a process that count.
//
// Thread-safe, deterministic.
//
// Source: dynamics 3 (loops need not be the same on every process).
#pragma once

#include "model/iterations/loops.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// The loops among the callees of one call.
struct CallWithLoops {
  std::vector<Loop> loops;  // by time, not overlapping; scores refer to their work
  std::uint64_t ticks = 0;  // in the call
  std::uint64_t calls = 0;  // inside of the call
};

// The work of a process, which shares of loops refer to.
struct ProcessWork {
  std::uint64_t ticks = 0;  // without calls made once and without callees, as MPI_Init
  std::uint64_t calls = 0;

  // The mean of the shares of time and calls.
  double compute_share(std::uint64_t of_ticks, std::uint64_t of_calls) const;
};

// Calls with a smaller share of the work are not searched.
inline constexpr double least_work_of_call = 0.05;

// Chooses loops if calls with loops are nested; by time. An outer loop counts only if it explains
// nearly as much as its inner loops together: the commands that a program reads, one of which runs
// the time steps, are not its main loop. Where the first of few iterations does most, as that of a
// solver which then is nearly done, the outer loop counts.
std::vector<Loop> choose_nested_loops(std::vector<CallWithLoops> calls, const ProcessWork& process);

// A found loop counts only if its work is at least this share of the process's work, and this share
// of its largest loop's work. In a group, the average over its processes decides, so that all have
// the same loops (align_loops.hpp).
inline constexpr double least_share = 0.05;
inline constexpr double least_share_of_largest = 0.25;

// If loops overlap, keeps the one with the most time, which is the outermost. Sorted by time.
std::vector<Loop> choose_outermost_loops(std::vector<Loop> candidates);

// The loops of a process: those that are marked or asked for, if any, otherwise the found ones.
// `first_time` and `last_time` are those of its records, in ticks.
ProcessLoops choose_process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                                  std::uint64_t first_time, std::uint64_t last_time);

}  // namespace tracefold
