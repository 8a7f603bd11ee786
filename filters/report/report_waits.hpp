// Lists the calls in which a run waits, which work the longest waiting ranks do less of, and whom
// ranks wait for. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <vector>

namespace tracefold {

std::vector<ReportWait> list_report_waits(const RunFacts& facts, const Summary& summary);

// Whom others wait for, of each kind of waiting that the calls have.
std::vector<ReportLate> list_report_late(const RunFacts& facts,
                                         const std::vector<ReportWait>& waits);

// Adds how long the processes of each group wait: in all calls, and in the longest of the listed
// ones. The report must have its waits and groups.
void add_group_waits(const RunFacts& facts, const Summary& summary, Report& report);

}  // namespace tracefold
