// The calls in which a run waits, for whom, and which work ranks that wait long do less of. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <vector>

namespace tracefold {

std::vector<ReportWait> list_report_waits(const RunFacts& facts, const Summary& summary);

// How long the processes of each group wait: in all calls, and in the longest of those that are
// listed. The waits and groups of the report are there.
void add_group_waits(const RunFacts& facts, const Summary& summary, Report& report);

}  // namespace tracefold
