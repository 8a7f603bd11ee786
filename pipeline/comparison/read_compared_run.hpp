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

// Of a reduced trace with profiles of all processes these; without, the kept ones. `name` is what
// people call the run.
ComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                              const std::string& name);

// The same of a run that read_run() has read in this session, by default groups, without reading it
// again. `program` is what that has packed of it; null where it is read after all.
ComparedRun take_compared_run(PlanSession& session, const StoredProgram* program,
                              const std::string& name);

// The iterations of the main loop of processes, in seconds: means over these.
struct ProcessIterations {
  std::vector<double> computation;   // what is not MPI, files and waiting of OpenMP
  std::vector<double> of_functions;  // of those that are asked for; empty: not known
  std::size_t processes = 1;         // that have as many iterations as the first
};

// Of these processes, which are not empty: an original is searched for loops on the first one, and
// the others have their iterations at the same calls. None where it has no loop, or iterations are
// not known one by one. `wanted` are functions of the plan.
std::optional<ProcessIterations> read_iteration_times(PlanSession& session,
                                                      std::vector<std::size_t> processes,
                                                      const std::vector<bool>& wanted);

}  // namespace tracefold
