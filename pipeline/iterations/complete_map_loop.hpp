// Finds the loop of a map in processes in which it was not found: which loops are found depends on
// times, and processes that do the same need not take the same time.
//
// Source: dynamics 3 (iterations of the main loop) and 3.2 (iteration × process maps).
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/known_loops.hpp"
#include "pipeline/iterations/searched_loops.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

// For each member without this loop (numbered as by find_same_loops()): just the loop, if it was
// found in the member and takes too little time to count. Threads take loops from these. Other
// members are left out. Members that were not `searched` (null: none were) are read. The result
// does not depend on the number of threads. Throws Error(input), and Error(usage) if there is no
// such loop.
std::map<std::size_t, ProcessLoops> find_missing_loops(const PlannedTrace& trace,
                                                       const std::vector<std::size_t>& members,
                                                       std::size_t number, const KnownLoops& loops,
                                                       const AskedIterations& asked,
                                                       SearchedLoops* searched);

// Gives these loops to the members in place of their own.
void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, const AskedIterations& asked, SearchedLoops* searched,
                       std::vector<ProcessLoops>& loops);

}  // namespace tracefold
