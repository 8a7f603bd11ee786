// Where commands get their plan from: a trace that is given, or a plan on stdin.
#pragma once

#include "cli/options.hpp"
#include "cli/session.hpp"
#include "model/united_runs.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <memory>
#include <string>

namespace tracefold::cli {

// Whether a plan is read from stdin: where no trace is given, and also beside one where stdin is a
// file that begins as a plan, or a pipe through which another command of the pipeline sends one,
// for which this waits (cli/pipeline_stdin.hpp). Nothing is read of anything else.
bool reads_plan(const TraceOptions& options);

// The trace of this name. Throws what open_trace() does; where a team reads it, also Error(input)
// where its members do not see the same, and Error(usage) where it is packed.
std::shared_ptr<const Archive> open_given_trace(Session& session, const std::string& trace,
                                                const std::string& hint = {});

// A new plan of the trace that is given, or of the tar that `-` stands for where the command takes
// one; or the plan on stdin, whose trace is opened at once where the command reads it, or where it
// was said to be elsewhere: by --trace, or by a trace that is given beside the plan. Throws Error,
// also where that trace is not what it was when the plan was made, and where the plan is not enough
// for its use.
PlanSession open_plan(Session& session, const TraceOptions& options, bool reads_trace = true,
                      PlanUse use = PlanUse::any);

// Whether several runs are given, and not parts of one.
bool compares_runs(const Session& session, const TraceOptions& options);
// Profiles all of them. Throws what open_given_trace() does, and Error(usage) beside --trace.
UnitedRuns open_runs(Session& session, const TraceOptions& options);

}  // namespace tracefold::cli
