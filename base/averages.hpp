// Sums, means and medians of values. Without values they are 0. Pure.
#pragma once

#include <span>
#include <vector>

namespace tracefold {

double compute_sum(std::span<const double> values);
double compute_mean(std::span<const double> values);
double find_most(std::span<const double> values);
// Of an even number of values, the upper and the lower one of the two in the middle.
double find_upper_median(std::vector<double> values);
double find_lower_median(std::vector<double> values);

}  // namespace tracefold
