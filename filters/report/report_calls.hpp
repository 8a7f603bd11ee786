// The call paths of a run with most time, callees included, as a tree: what each does itself and
// with its callees, over all processes and over those of each group. Pure.
//
// Source: dynamics 1.4.3 (call paths as a tree).
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>

namespace tracefold {

// The largest numbers on a page: of call paths, and of values (one for a call path and a group).
struct CallLimits {
  std::size_t calls = 150, values = 20'000;
  double least_share = 0.001;  // of the time of all processes, callees included
};

// The report must have its groups.
void list_report_calls(const RunFacts& facts, Report& report, const CallLimits& most = {});

}  // namespace tracefold
