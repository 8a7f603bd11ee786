// What a summary is computed from, of one stored program: of an original, whose program was just
// recorded, as well as of a reduced trace.
//
// One thread, which may use others. Throws Error(input) where the program is damaged, and
// Error(usage) where a part is asked for that there is not.
#pragma once

#include "model/program/program_profiles.hpp"
#include "model/summary/run_facts.hpp"
#include "model/what_if.hpp"
#include "pipeline/facts/stored_program.hpp"

#include <vector>

namespace tracefold {

// Adds to what `out` has: trace, ticks per second, iteration numbers, processes, groups and early
// ends. `devices`: what accelerators and their hosts did, by part. `what_if`: played together.
void read_stored_run(const StoredProgram& stored, RunPart part, std::vector<ProgramDevices> devices,
                     const std::vector<WhatIf>& what_if, RunFacts& out);

}  // namespace tracefold
