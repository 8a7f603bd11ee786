// Says in a sentence how two sets of processes of one run differ. Pure.
#pragma once

#include "model/comparison/run_comparison.hpp"

namespace tracefold {

// Fills headline and findings of `out`, the result of compare_processes(): the function that
// differs most, and calls that only one of them makes.
void find_difference(RunComparison& out);

}  // namespace tracefold
