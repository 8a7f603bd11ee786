// The functions of a run with most time, and the spread of their times over the processes of each
// group. Pure.
//
// Source: thesis 4.4.2 (box plots for each function).
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>

namespace tracefold {

// The largest numbers on a page: of functions, of boxes (one for a function and a group), and of
// quarters (one for a function and a process), which only the first functions have.
struct FunctionLimits {
  std::size_t functions = 200, boxes = 20'000, quarters = 200'000;
};

// The report must have its groups.
void list_report_functions(const RunFacts& facts, Report& report, const FunctionLimits& most = {});

}  // namespace tracefold
