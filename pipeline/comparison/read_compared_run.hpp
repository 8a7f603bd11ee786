// Reads what a comparison of runs looks at: groups and call paths from one reading of the trace, or
// from what is stored beside a reduced one; and the iterations of a single process.
//
// One thread, which uses others. Errors are those of PlanSession.
#pragma once

#include "model/comparison/compared_run.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Of a reduced trace with profiles of all processes these; without, the kept ones. `name` is what
// people call the run.
ComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                              const std::string& name);

// The iterations of the main loop of a process, in seconds.
struct ProcessIterations {
  std::vector<double> computation;   // what is not MPI, files and waiting of OpenMP
  std::vector<double> of_functions;  // of those that are asked for; empty: not known
};

// None where the process has no loop, or its iterations are not known one by one. `wanted` are
// functions of the plan.
std::optional<ProcessIterations> read_iteration_times(PlanSession& session, std::size_t process,
                                                      const std::vector<bool>& wanted);

}  // namespace tracefold
