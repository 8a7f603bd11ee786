// Records when the iterations of kept processes that stand for others begin. For a kept process
// without loops, records how long these others compute and wait in each thousandth of the run, or
// in as many equal parts as the process has events, if these are fewer.
//
// Starts threads; the result does not depend on their number.
#pragma once

#include "model/iterations/loops.hpp"
#include "model/program/program_profiles.hpp"
#include "pipeline/facts/series_pass.hpp"

#include <vector>

namespace tracefold {

// Adds this to what the pass found of all processes of its plan; `loops` is by process. Reads the
// processes that those without a loop stand for. Throws Error(input).
void record_members(const SeriesPass& pass, const std::vector<ProcessLoops>& loops,
                    ProgramProfiles& program);

}  // namespace tracefold
