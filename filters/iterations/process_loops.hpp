// Which of the loops of a process count, and what the processes of a group say
// together.
//
// Thread-safe, deterministic.
// Source: dynamics 3 (loops need not be the same on every process).
#pragma once

#include "model/iterations/iterations.hpp"
#include "model/plan.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

// A found loop that takes less of the time from a process's first to its last
// record, or less than a quarter of its largest loop, does not count: in the mean
// over the processes of a group that have it, so that they do not differ by that.
inline constexpr double least_share = 0.05, least_of_largest = 0.25;

// Of marked regions, those that take the most time and do not overlap a larger
// one: the outermost. By time.
std::vector<Loop> outermost(std::vector<Loop> candidates);

// The asked or marked loops where there are any, else the found ones that may count.
ProcessLoops process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                           std::uint64_t first_time, std::uint64_t last_time);

// Leaves out the found loops that do not count in the groups of the plan.
void settle(const Plan& plan, std::vector<ProcessLoops>& loops);

// By location group the one that created it, as a host does its accelerators'.
using Creators = std::unordered_map<std::uint64_t, std::uint64_t>;

// Gives the threads of a location group the loops of its first process that has
// some, or of the group that created it: to those without any, and to those whose loops
// were found, not marked. `loops` are of the plan's processes.
void share_loops(const Plan& plan, const Creators& creators, std::vector<ProcessLoops>& loops);

// Of each group of the plan, who agrees with most: as many loops at the same call
// paths, with as many iterations each; of marked ones the same regions. Ties to
// the first process. Only processes of `members`, ascending, are looked at.
std::vector<GroupLoops> agree(const Plan& plan, const std::vector<std::size_t>& members,
                              const std::vector<ProcessLoops>& loops);

}  // namespace tracefold
