// The series of iterations of two runs beside each other. One thread, which uses others. Errors are
// those of PlanSession.
#pragma once

#include "filters/comparison/compare_runs.hpp"
#include "model/comparison/run_comparison.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <optional>

namespace tracefold {

// Adds the iterations of the processes that show a change most, in both runs; tells of which
// function they are (none: of all computation, or there are none). The sessions are those that the
// runs were read from, and are read once more where they are originals.
std::optional<ClassIndex> add_iterations(PlanSession& a, PlanSession& b, const JoinedRuns& runs,
                                         RunComparison& out);

}  // namespace tracefold
