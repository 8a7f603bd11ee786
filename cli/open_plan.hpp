// Where commands get their plan from: a trace that is given, or a plan on stdin.
#pragma once

#include "cli/options.hpp"
#include "cli/session.hpp"
#include "pipeline/reduce/plan_session.hpp"

namespace tracefold::cli {

// A new plan of the trace that is given, or the plan on stdin, whose trace is opened at once where
// the command reads it, or where it was said to be elsewhere. Throws Error, also where that trace
// is no longer what it was when the plan was made, and where the plan is not enough for its use.
//
// Where a trace is given, nothing is read from stdin. Only a file there is looked at: where it
// begins as a plan, which would be ignored, that is an Error(usage). A pipe cannot be looked at
// without taking from it, or waiting for it.
PlanSession open_plan(Session& session, const TraceOptions& options, bool reads_trace = true,
                      PlanUse use = PlanUse::any);

}  // namespace tracefold::cli
