// All that a report shows of a run, from what a summary of it reads: an original is read once, and
// of a reduced trace what is kept of all processes, or else of the kept ones.
//
// One thread, which uses others. Errors are those of read_run. The context has to stay.
#pragma once

#include "model/report/report.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <string>
#include <vector>

namespace tracefold {

// `run` is what read_run() has read in this session, of the part that it chooses.
Report read_report(PlanSession& session, const ReadRun& run);

// The summary alone, of a run that stands beside it.
Summary read_summary(PlanSession& session, const RunPartOptions& options);

}  // namespace tracefold
