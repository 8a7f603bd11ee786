// Which ranks compute longer than others, or less. Pure.
#pragma once

#include "filters/summary/loss_search.hpp"

namespace tracefold {

void explain_balance(LossSearch& loss);

}  // namespace tracefold
