// What `summary --what-if` gets of runs that cannot be played now. Pure.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/what_if.hpp"

#include <vector>

namespace tracefold {

// Of a reduced trace: a single change whose gain it keeps. Throws Error(input) for others.
void answer_of_stored(const std::vector<WhatIf>& asked, RunFacts& facts);

// Throws Error(input) where something was asked, and is not known.
void require_answer(const std::vector<WhatIf>& asked, const RunFacts& facts);

}  // namespace tracefold
