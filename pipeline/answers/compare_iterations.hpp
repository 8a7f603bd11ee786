// The series of iterations of two runs beside each other. Errors are those of
// StoredProgram.
#pragma once

#include "filters/comparison/compare_runs.hpp"
#include "model/comparison/run_comparison.hpp"
#include "pipeline/answers/read_compared_run.hpp"

#include <optional>

namespace tracefold {

// Adds the iterations of the processes that show a change most, in both runs; tells of which
// function they are (none: of all computation, or there are none).
std::optional<ClassIndex> add_iterations(const ReadComparedRun& a, const ReadComparedRun& b,
                                         const JoinedRuns& runs, RunComparison& out);

}  // namespace tracefold
