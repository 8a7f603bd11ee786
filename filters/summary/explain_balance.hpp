// Finds ranks that compute longer or shorter than others. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_balance(LossSearch& loss);

}  // namespace tracefold
