// Says in a sentence why two runs differ, and what else was found, the most important first. Pure.
//
// In this order: other numbers of processes; groups without a partner; functions that compute
// longer or shorter, with the processes and iterations in which they do so, and who calls them
// more often; other numbers of messages and bytes; what was renamed or inlined, has come or gone;
// and time of communication that nothing of this explains, since processes wait there for what
// others do. Time counts where it is at least a hundredth of the run.
#pragma once

#include "filters/comparison/compare_runs.hpp"

namespace tracefold {

// Fills headline and findings. `out` is what compare_runs() gives of these runs, with iterations
// where these are known, of the function that `iterations_of` is.
void find_cause(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
                RunComparison& out);

// The same of two sets of processes of one run: which function differs most.
void find_difference(RunComparison& out);

inline constexpr const char* no_difference = "no difference beyond the spread";

}  // namespace tracefold
