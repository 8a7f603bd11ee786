// Finds the ranks that spend time in I/O, and the call in which they do. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_io(LossSearch& loss);

}  // namespace tracefold
