// Reads what a comparison of runs looks at: groups, call paths, and what the run time goes to, from
// what a summary is computed from; and the iterations of some processes.
//
// One thread, which uses others. Errors are those of PlanSession and read_run().
#pragma once

#include "model/comparison/compared_run.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ReadComparedRun {
  ComparedRun run;
  std::shared_ptr<const StoredProgram> program;  // null: only what is kept is known
};

// A reduced trace gives the profiles of all processes, if it has them, or else those of the kept
// ones. `name` is what people call the run.
ReadComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                                  RunPartOptions part, const std::string& name);

// The same for a run that read_run() has read in this session.
ReadComparedRun take_compared_run(PlanSession& session, const ReadRun& read,
                                  const std::string& name);

// Times of the iterations of a main loop, in seconds: means over the processes.
struct ProcessIterations {
  std::vector<double> computation;   // what is not MPI, files and waiting of OpenMP
  std::vector<double> of_functions;  // only of the functions that are asked for; empty: not known
  std::size_t processes = 1;         // how many have as many iterations as the first
};

// None where the run has no loop, or iterations are not known one by one. `wanted` is by function
// of the plan.
std::optional<ProcessIterations> read_iteration_times(const ReadComparedRun& read,
                                                      const std::vector<std::size_t>& processes,
                                                      const std::vector<bool>& wanted);

}  // namespace tracefold
