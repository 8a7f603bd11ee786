// The loop of a map in processes where it was not found: which loops are found depends on times,
// and processes that do the same do not take the same time.
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

// The loop of this number, as find_same_loops() counts, alone, by member that does not have it: of
// those that make the same calls as another member of their group that has it, at the same calls;
// and of those in which it was found, but takes little time. Threads take it from these. Members
// are left out where neither is so. The result does not depend on the number of threads. Throws
// Error(input), and Error(usage) where there is no such loop.
std::map<std::size_t, ProcessLoops> find_missing_loops(const PlannedTrace& trace,
                                                       const std::vector<std::size_t>& members,
                                                       std::size_t number, const KnownLoops& loops,
                                                       const CollectedCalls& calls,
                                                       const AskedIterations& asked);

// Gives them to these members in place of their own.
void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, const CollectedCalls& calls,
                       const AskedIterations& asked, std::vector<ProcessLoops>& loops);

}  // namespace tracefold
