// For whom ranks wait: one that sends or receives late, comes last to a collective operation, or
// began a chain of delays. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_serialisation(LossSearch& loss);

}  // namespace tracefold
