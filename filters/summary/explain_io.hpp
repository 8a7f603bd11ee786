// Which ranks spend time in I/O, and in which call. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_io(LossSearch& loss);

}  // namespace tracefold
