// The functions with most time of a run, and how their times are spread over the processes of each
// group. Pure.
//
// Source: thesis 4.4.2 (box plots for each function).
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>

namespace tracefold {

// What a page holds of them at most: functions, and boxes of a function and a group.
struct FunctionLimits {
  std::size_t functions = 200, boxes = 20'000;
};

// The groups of the report are there.
void list_report_functions(const RunFacts& facts, Report& report, const FunctionLimits& most = {});

}  // namespace tracefold
