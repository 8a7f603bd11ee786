// Measures what folding costs, of all processes: the errors of model/errors/fold_errors.hpp, by
// what was recorded of every process.
//
// Of a team, each member compares the processes whose rows it has; those of who stands for others
// are given to all.
//
// Sums are of whole ticks, so that the figures do not depend on the number of members, nor on that
// of threads, of which each function takes its own. Memory: 24 bytes for each iteration of a
// process that is looked at, and for each call path of processes that stand for many; at each
// member of a team the rows of those that stand for others.
#pragma once

#include "model/errors/fold_errors.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

class Team;
struct Plan;

struct ProcessErrors {
  FoldError error;
  std::vector<FunctionError> functions;  // that differ most
};
// By process, the one that stands for it. The program may lack iterations.
ProcessErrors measure_processes(const ProgramProfiles& program,
                                const std::vector<std::size_t>& stand_ins, Team* team = nullptr);

struct LoopErrors {
  FoldError all;  // of all loops together
  std::vector<FoldError> of_loops;
};
// What stands for the iterations of each loop, on processes that have all of these loops.
LoopErrors measure_iterations(const ProgramProfiles& program,
                              const std::vector<std::size_t>& processes,
                              const std::vector<const KeptIterations*>& loops,
                              Team* team = nullptr);

// By process of the plan, the representative that stands for it; itself where none was chosen.
std::vector<std::size_t> list_stand_ins(const Plan& plan);
// The processes that a process which folds these loops stands for, if they have as many iterations;
// ascending.
std::vector<std::size_t> list_measured(const Plan& plan, const ProgramProfiles& program,
                                       const std::vector<std::size_t>& folding,
                                       const std::vector<std::size_t>& lengths);

// All errors of a plan that folds like this section, which may be null.
FoldErrors measure_fold(const Plan& plan, const ProgramProfiles& program,
                        const IterationSection* section, Team* team = nullptr);

}  // namespace tracefold
