// Where commands get their plan from: a trace that is given, or a plan on stdin.
#pragma once

#include "cli/session.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <string>

namespace tracefold::cli {

// A new plan of the trace with this name, whatever is on stdin; where it is "" or "-", the plan on
// stdin, whose trace is opened at once where the command reads it. Throws Error, also where that
// trace is no longer what it was when the plan was made, and where the plan is not enough for its
// use.
PlanSession open_plan(Session& session, const std::string& trace, bool reads_trace = true,
                      PlanUse use = PlanUse::any);

}  // namespace tracefold::cli
