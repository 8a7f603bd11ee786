// Records when the iterations of kept processes begin that stand for others; and where such a
// process has no loop, how long these others compute and wait in each thousandth of the run, or in
// as many equal parts of it as the process has events, where these are fewer.
//
// Takes threads of its own; the result does not depend on their number.
#pragma once

#include "model/iterations/loops.hpp"
#include "model/program/program_profiles.hpp"
#include "pipeline/series/series_pass.hpp"

#include <vector>

namespace tracefold {

// Adds it to what the pass told of all processes of its plan; `loops` are of these. Reads the
// processes that those without a loop stand for. Throws Error(input).
void record_members(const SeriesPass& pass, const std::vector<ProcessLoops>& loops,
                    ProgramProfiles& program);

}  // namespace tracefold
