// How one quantity is spread over the processes of a group.
//
// Source: thesis 4.4.2; outliers as in box plots: further outside the box than
// 1.5 times its height.
#pragma once

#include "filters/profile/percentiles.hpp"
#include "model/profile/group_profile.hpp"

#include <vector>

namespace tracefold {

// Sorts the values, which are not empty. Weights sum up to `processes`.
Spread spread_of(std::vector<WeightedValue>& values, std::uint64_t processes);

}  // namespace tracefold
