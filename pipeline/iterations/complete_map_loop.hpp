// Finds the loop of a map in processes in which it was not found: which loops are found depends on
// times, and processes that do the same need not take the same time.
//
// Source: dynamics 3 (iterations of the main loop) and 3.2 (iteration × process maps).
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/collected_calls.hpp"
#include "pipeline/iterations/known_loops.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

// For each member without this loop (numbered as by find_same_loops()): just the loop, at the same
// calls if another member of its group with the same calls has it, or as found in the member if it
// takes too little time to count. Threads take loops from these. Other members are left out. The
// result does not depend on the number of threads. Throws Error(input), and Error(usage) if there
// is no such loop.
std::map<std::size_t, ProcessLoops> find_missing_loops(const PlannedTrace& trace,
                                                       const std::vector<std::size_t>& members,
                                                       std::size_t number, const KnownLoops& loops,
                                                       const CollectedCalls& calls,
                                                       const AskedIterations& asked);

// Gives these loops to the members in place of their own.
void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, const CollectedCalls& calls,
                       const AskedIterations& asked, std::vector<ProcessLoops>& loops);

}  // namespace tracefold
