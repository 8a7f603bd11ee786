// Measures the spread of one quantity over the processes of a group: percentiles, total and
// outliers.
//
// Percentiles are nearest ranks: the p-th percentile is the smallest value such that at least p
// percent of all values are less or equal. A value of weight n counts as n equal values. Outliers
// are, as in box plots, values that are further outside of the box from 25 % to 75 % than 1.5 times
// its height.
//
// Source: thesis 4.4.2; McGill, Tukey, Larsen (1978).
#pragma once

#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct WeightedValue {
  std::uint64_t value = 0;
  std::uint64_t weight = 1;  // at least 1
  std::size_t process = 0;   // index into Plan::processes
};

// Sorts the values, of which there must be at least one. `processes` is the sum of their weights.
Spread measure_spread(std::vector<WeightedValue>& values, std::uint64_t processes);

}  // namespace tracefold
