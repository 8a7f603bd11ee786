// Explains losses between the threads of a rank. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Looks for idle threads, a slow thread, computation of masters while other threads wait for a
// parallel region, and time in OpenMP itself.
void explain_threads(LossSearch& loss);

// If `ranks` is a single rank that takes longer only since one of its threads does, names that
// thread in the finding and returns true.
bool take_thread(LossSearch& loss, const std::vector<std::size_t>& ranks);

}  // namespace tracefold
