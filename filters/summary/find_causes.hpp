// Adds to a summary who makes others wait, and by what. Pure.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

namespace tracefold {

// Adds nothing where delays are not known.
void find_causes(const RunFacts& facts, Summary& summary);

}  // namespace tracefold
