// Scripts of what locations do (pipeline/profile/call_script.hpp), by which their times in
// iterations are collected while they are read for the first time: before groups and their loops
// are known, which may turn out otherwise. So whoever uses what was collected has to compare.
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/profile/collected_times.hpp"

#include <vector>

namespace tracefold {

// A script for each number of events that many locations have: at least eight, and four for each
// thread. For at most eight such numbers one of the locations is read, three times. There is no
// script where calls are sampled, where no loop is found that the options would fold, where the
// iterations of a loop are not counted by calls (counted_iterations.hpp), and where CallScripter
// makes none. Memory: a sixteenth of the limit. Throws Error(input).
CallScripts script_calls(const Archive& archive, const std::vector<FilterSection>& filters,
                         const FoldOptions& options, const ReadOptions& reading);

}  // namespace tracefold
