// Reads what a comparison of runs looks at: groups and call paths from one reading of the trace, or
// from what is stored beside a reduced one; and the iterations of some processes.
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

class StoredProgram;

// A reduced trace gives the profiles of all processes, if it has them, or else those of the kept
// ones. `name` is what people call the run.
ComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                              const std::string& name);

// The same for a run that read_run() has read in this session with default groups, without reading
// it again. `program` is what read_run() packed; if null, the run is read after all.
ComparedRun take_compared_run(PlanSession& session, const StoredProgram* program,
                              const std::string& name);

// Times of the iterations of a main loop, in seconds: means over the processes.
struct ProcessIterations {
  std::vector<double> computation;   // what is not MPI, files and waiting of OpenMP
  std::vector<double> of_functions;  // only of the functions that are asked for; empty: not known
  std::size_t processes = 1;         // how many have as many iterations as the first
};

// There must be at least one process. An original is searched for loops on the first one, and the
// others have their iterations at the same calls. None if it has no loop, or iterations are not
// known one by one. `wanted` is by function of the plan.
std::optional<ProcessIterations> read_iteration_times(PlanSession& session,
                                                      std::vector<std::size_t> processes,
                                                      const std::vector<bool>& wanted);

}  // namespace tracefold
