// The loop of a map in processes where it was not found: which loops are found depends on times,
// and processes that do the same do not take the same time.
//
// Source: dynamics 3 (iterations of the main loop) and 3.2 (iteration × process maps).
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/collected_calls.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Gives the loop of this number, as find_same_loops() counts, to members that do not have it in
// place of their own: to those that make the same calls as another member of their group that has
// it, at the same calls; and to those in which it was found, but takes little time. Threads take it
// from these. Members stay without it where neither is so. The result does not depend on the
// number of threads. Throws Error(input), and Error(usage) where there is no such loop.
void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, CollectedCalls& calls, const AskedIterations& asked,
                       std::vector<ProcessLoops>& loops);

}  // namespace tracefold
