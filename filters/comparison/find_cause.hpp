// Explains in a sentence why two runs differ, and lists other findings, the most important first.
// Pure.
//
// Different numbers of processes come first, and then of iterations. All else comes by what it
// costs the run, where that is known (run_costs.hpp); without that, in this order: groups without a
// partner; functions that compute longer or shorter, with the processes and iterations in which
// they do, and calls of them that are others (other_calls.hpp); different numbers of messages and
// bytes, and other calls of MPI; functions that were renamed or inlined; and waiting that nothing
// of this explains. Times below a hundredth of the run are ignored.
#pragma once

#include "filters/comparison/compare_runs.hpp"
#include "model/comparison/scaling.hpp"

#include <optional>

namespace tracefold {

// Fills headline and findings of `out`, the result of compare_runs(). Where it has iterations,
// these are of the function `iterations_of`. `scaling`: of runs with other numbers of ranks or
// threads; none: as their work tells, which a finding says.
void find_cause(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of, RunComparison& out,
                std::optional<Scaling> scaling = {});

inline constexpr const char* no_difference = "no difference beyond the spread";
// Where the runs still take another time.
inline constexpr const char* no_function_differs = "no function differs beyond the spread";

}  // namespace tracefold
