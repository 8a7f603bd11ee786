// Short names for many processes at once.
//
// Source: thesis fig. 4.13 (condensed process names).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// One text for each kind of process: "MPI 0-15" for the main threads of ranks, "OMP 0-15/1-3" for
// threads 1 to 3 of each of these ranks, "GPU 0/1" for a stream. Where there are no ranks, the
// words are "process" and "thread", and the numbers are ids of location groups. `members` are
// indexes into Plan::processes.
std::vector<std::string> condense_names(const Plan& plan, const std::vector<std::size_t>& members);

}  // namespace tracefold
