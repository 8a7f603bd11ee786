// Unites several runs for comparisons across all of them: which groups there are, in which runs,
// and what exists only in some, as with many ranks.
//
// Functions are matched by name (filters/comparison/function_names.hpp), and processes by nothing
// but what they call. Two functions of a run that have one name in all others stay apart. Pure.
//
// Source: thesis 3.2 and 4.3 (one context for all processes), structural V.
#pragma once

#include "model/united_runs.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Plans must have profiles. Groups and all behind them are left out.
UnitedRuns unite_runs(std::vector<Plan> plans, std::vector<std::string> names);

}  // namespace tracefold
