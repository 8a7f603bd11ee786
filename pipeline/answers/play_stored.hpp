// Plays runs from what a small trace keeps of them, as `summary --what-if` and `verify` ask for it.
// Times are kept in quanta, so the played run takes a little more or less than the recorded one.
// Thread-safe. Memory: that of pipeline/replay/replay.hpp.
//
// Source: signatures 5.1 (accuracy).
#pragma once

#include "model/program/program_profiles.hpp"
#include "model/summary/run_facts.hpp"
#include "model/what_if.hpp"
#include "pipeline/facts/stored_program.hpp"

#include <optional>
#include <vector>

namespace tracefold {

// Sets ProgramReplay::asked of these, which the program has, where it is known: what the part takes
// with these changes, as a part of what it takes without them. Throws Error(input) where what is
// kept is damaged.
void play_stored(const StoredProgram& program, const std::vector<WhatIf>& asked,
                 std::vector<ProgramReplay>& replays);

// How near a run that is played without a change comes to the recorded one: 1 - |t - t'| / t, in
// the part where that is least. None where there is nothing to play. Throws as above.
std::optional<double> measure_accuracy(const StoredProgram& program);

// Throws Error(input) where something was asked, and is not known.
void require_answer(const std::vector<WhatIf>& asked, const RunFacts& facts, bool is_original);

}  // namespace tracefold
