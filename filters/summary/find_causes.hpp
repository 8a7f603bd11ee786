// Who makes others wait in a run, and what by, for its summary. A pure function.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

namespace tracefold {

// Nothing where delays are not known.
void find_causes(const RunFacts& facts, Summary& summary);

}  // namespace tracefold
