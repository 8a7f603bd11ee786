// Finds the ranks that others wait for: they send or receive late, come last to a collective
// operation, or begin a chain of delays. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_serialisation(LossSearch& loss);

}  // namespace tracefold
