// What threads of a rank lose beside each other. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// Idle threads, one that is slow, what the masters compute while the others wait for a parallel
// region, or what OpenMP itself takes.
void explain_threads(LossSearch& loss);

// A rank may take longer since one of its threads does: then the others wait for that one. Where
// these ranks are one that does, puts the thread into the finding, and is true.
bool take_thread(LossSearch& loss, const std::vector<std::size_t>& ranks);

}  // namespace tracefold
