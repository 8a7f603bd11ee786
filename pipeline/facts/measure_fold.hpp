// Measures the errors of folding for all processes (model/errors/fold_errors.hpp), from what was
// recorded of every process.
//
// In a team, each member compares the processes whose rows it has; the rows of processes that stand
// for others are given to all members.
//
// Sums are in whole ticks, so that results do not depend on the numbers of members and threads;
// each function starts its own threads. Memory: 24 bytes for each iteration of the processes that
// are compared, and for each call path of processes that stand for many; at each member of a team,
// the rows of those that stand for others.
#pragma once

#include "filters/errors/row_quality.hpp"
#include "filters/groups/fit_rows.hpp"
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
  std::vector<FunctionError> functions;  // with the largest differences
  RowDifference largest;                 // of a process
  bool knows_waiting = false;
  std::vector<RowTimes> times;  // by process, without MPI_Init
};
// `stand_ins` has the process that stands for each process. The program may have no iterations.
ProcessErrors measure_processes(const ProgramProfiles& program,
                                const std::vector<std::size_t>& stand_ins, Team* team = nullptr);

struct LoopErrors {
  FoldError all;  // of all loops together
  std::vector<FoldError> of_loops;
};
// The larger one of the error of useful time, and of the largest difference as a share of the run.
double measure_rows(const Plan& plan, const ProcessErrors& errors);

// The errors of what stands for the iterations of each loop, on processes that have all of these
// loops.
LoopErrors measure_iterations(const ProgramProfiles& program,
                              const std::vector<std::size_t>& processes,
                              const std::vector<const KeptIterations*>& loops,
                              Team* team = nullptr);

// By process of the plan: its representative; itself if none was chosen.
std::vector<std::size_t> list_representatives(const Plan& plan);
// The processes that the folding processes stand for, if they have as many iterations; ascending.
std::vector<std::size_t> list_measured(const Plan& plan, const ProgramProfiles& program,
                                       const std::vector<std::size_t>& folding,
                                       const std::vector<std::size_t>& lengths);

// Whether any process calls anything. Else no time is known that could differ.
bool has_calls(const ProgramProfiles& program);

// What fit_rows.hpp compares, of all processes of the plan; at all members of a team.
FittedTimes list_fitted_times(const Plan& plan, const ProgramProfiles& program,
                              Team* team = nullptr);

// All errors of a plan that folds by this section, which may be null.
FoldErrors measure_fold(const Plan& plan, const ProgramProfiles& program,
                        const IterationSection* section, Team* team = nullptr);

}  // namespace tracefold
