// Correlates two numbers of each rank. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace tracefold {

// Pearson's r; 0 where one side does not vary.
double correlate_values(const std::vector<double>& a, const std::vector<double>& b);

// The chance that so many pairs of independent, normally distributed numbers have at least this
// |r|; 1 for less than three pairs.
double find_correlation_chance(double r, std::size_t pairs);

}  // namespace tracefold
