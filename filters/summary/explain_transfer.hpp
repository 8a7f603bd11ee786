// Which calls of MPI take long though nobody is late, how often, and how many bytes they move.
// Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_transfer(LossSearch& loss);

}  // namespace tracefold
