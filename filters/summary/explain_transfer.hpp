// Finds calls of MPI that take long although nobody is late, with their number and bytes. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_transfer(LossSearch& loss);

}  // namespace tracefold
