// The main threads of a run, over which times of the run are averaged. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

// The processes that ranks of MPI mean, or else the first thread of each owner, ascending. `types`
// are OTF2_LocationType by process. Those without events do not count.
std::vector<std::size_t> list_run_masters(const std::vector<Process>& processes,
                                          const std::vector<std::uint64_t>& types);
std::vector<std::size_t> list_run_masters(const Plan& plan);  // with intents

// Of what is known by process, the mean over these; 0 where nothing is known.
double compute_mean_of(const std::vector<std::size_t>& masters,
                       const std::vector<std::uint64_t>& by_process);

}  // namespace tracefold
