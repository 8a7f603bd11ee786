// Short names for many processes at once.
//
// Source: thesis fig. 4.13 (condensed process names).
#pragma once

#include "model/plan.hpp"

#include <string>
#include <vector>

namespace tracefold {

// One text for each kind of process, as in "MPI 0-15" for the main threads of
// ranks, "OMP 0-15/1-3" for threads 1 to 3 of each of these ranks, "GPU 0/1" for
// a stream; where there are no ranks, "process" and "thread" with ids of location
// groups. `members` are indexes into plan.processes.
std::vector<std::string> condensed_names(const Plan& plan, const std::vector<std::size_t>& members);

}  // namespace tracefold
